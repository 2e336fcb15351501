"""Copies your companies and transactions into a folder, and proves that the copy is
complete. Each run reads only what is new. With --follow it keeps waiting for changes:

    DISPO_KEY=dispo_… python3 sync.py [--follow] [FOLDER]

The folder has companies.jsonl, with a company on each line, and for each company
CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
killed, the next one cuts off an unfinished line and continues from there.

The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
setting is missing. Needs Python 3.9 or later, and no packages.
"""

import decimal
import http.client
import json
import os
import re
import sqlite3
import sys
import time
import urllib.error
import urllib.request

KEY = os.environ.get("DISPO_KEY", "").strip()
BASE_URL = os.environ.get("DISPO_URL") or "https://dispo.example/api"
FOLDER = ([x for x in sys.argv[1:] if x != "--follow"] or ["dispo-copy"])[0]
MAX_TRIES = 5  # of one request
MAX_WAIT = 50  # seconds; many proxies end a request after 60

decimal.getcontext().prec = 50  # digits; sums must not be rounded


class Failure(Exception):
    """Ends the program with a message."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and the key must not follow to another server."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def get(path, etag="", wait=0):
    """Request a path, and return the body and the headers, or None and the headers if the
    ETag is still current. Wait for a change for that many seconds. Pause and try again if
    a limit is reached, the service is unavailable, or the network fails."""
    headers = {"X-API-Key": KEY}
    if etag:
        headers["If-None-Match"] = etag
    if wait:
        headers["Prefer"] = f"wait={wait}"
    request = urllib.request.Request(BASE_URL + path, headers=headers)
    for attempt in range(1, MAX_TRIES + 1):
        pause = 2 ** (attempt - 1)
        try:
            with opener.open(request, timeout=30 + wait) as response:
                return json.loads(response.read()), response.headers
        except urllib.error.HTTPError as response:
            if response.code == 304:
                return None, response.headers
            problem = describe(response)
            if response.code != 429 and response.code < 500:
                raise Failure(problem) from None
            retry_after = response.headers.get("Retry-After", "")
            if retry_after.isdecimal():
                pause = int(retry_after)
            if wait and response.code in (502, 503, 504):  # the wait was ended early
                time.sleep(max(2, pause))
                return None, response.headers
        except (OSError, http.client.HTTPException) as failure:
            problem = str(failure) or type(failure).__name__
        if attempt < MAX_TRIES:
            print(f"{problem}; trying again in {pause} s (try {attempt} of {MAX_TRIES})", file=sys.stderr)
            time.sleep(pause)
    raise Failure(f"{problem}; gave up after {MAX_TRIES} tries")


def describe(response):
    """Return the API's error as text."""
    try:
        error = json.loads(response.read())["error"]
        text = f"{error['code']}: {error['message']}"
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        text = "this response is not from the API"
    return f"{response.code} {text} (X-Request-Id {response.headers.get('X-Request-Id', '')})"


def path_of(name):
    return os.path.join(FOLDER, name)


def lock():
    """Lock the folder until the process ends. An open SQLite transaction is a lock on its
    file that the system releases, on Windows too."""
    os.umask(0o077)  # the data is your organization's
    os.makedirs(FOLDER, exist_ok=True)
    connection = sqlite3.connect(path_of("lock"), timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        raise Failure(f"another program is syncing the copy in {FOLDER}") from None
    return connection


def write(file, items):
    """Write a line for each item, and wait until they are on disk."""
    for item in items:
        file.write(json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def replace(name, *items):
    """Write a file so that, whatever happens, it has the old content or the new one."""
    with open(path_of(name + ".new"), "wb") as file:
        write(file, items)
    os.replace(path_of(name + ".new"), path_of(name))


def read(name):
    """Yield the items of a file's whole lines, and then cut off what follows them."""
    with open(path_of(name), "ab+") as file:
        file.seek(0)
        end = 0
        for text in file:
            try:
                item = json.loads(text)
            except ValueError:
                break
            if not text.endswith(b"\n"):
                break
            yield item
            end += len(text)
        file.truncate(end)


def measure(name):
    """Return the last id, the number and the sum of a file's transactions."""
    last, count, amount = "", 0, decimal.Decimal(0)
    for transaction in read(name):
        last, count, amount = transaction["id"], count + 1, amount + decimal.Decimal(transaction["amountDkk"])
    return last, count, amount


def sync_company(company):
    """Read what the copy lacks of a company's transactions, and prove the copy by their
    number and sum."""
    cvr = company["cvr"]
    name = cvr + ".jsonl"
    for _ in range(2):
        last, had, _ = measure(name)
        more = True
        with open(path_of(name), "ab") as file:
            while more:
                page, headers = get(f"/v1/companies/{cvr}/transactions?limit=100" + (f"&after={last}" if last else ""))
                write(file, page["data"])
                more, last = page["meta"]["hasMore"], page["data"][-1]["id"] if page["data"] else last
        _, count, amount = measure(name)
        if count == page["meta"]["total"] and amount == decimal.Decimal(headers["X-Total-Amount-Dkk"]):
            print(f"{cvr} {company['name']}: {count} transactions, {count - had} new, {amount} DKK")
            return
        print(f"{cvr}: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.", file=sys.stderr)
        replace(name)
    raise Failure(f"{cvr}: number and sum keep changing")


def sync(wait=0):
    """Bring the copy up to date, after waiting for a change for that many seconds."""
    # The ETag changes whenever any data of the organization changes.
    etag = next(read("etag"), "")
    page, headers = get("/v1/companies?limit=100", etag, wait)
    if page is None:
        if not wait:
            print("Nothing has changed since the copy was proved.")
        return
    new_etag = headers["ETag"]
    time.sleep(1)  # responses are up to a second behind the data, and then as new as the ETag
    companies = page["data"]
    while page["meta"]["hasMore"]:
        page, _ = get(f"/v1/companies?limit=100&after={companies[-1]['id']}")
        companies += page["data"]
    replace("companies.jsonl", *companies)
    for company in companies:
        sync_company(company)
    # From before the first read, and stored last: the next run finds what changed since.
    replace("etag", new_etag)
    print(f"{len(companies)} companies. The copy is complete.", flush=True)


if not re.fullmatch(r"dispo_[0-9A-Za-z_]+", KEY):
    print("Set DISPO_KEY to your API key.", file=sys.stderr)
    sys.exit(2)
try:
    locked = lock()
    sync()
    while "--follow" in sys.argv:
        sync(MAX_WAIT)
except (Failure, OSError, ValueError) as failure:
    print("The copy is not complete:", failure, file=sys.stderr)
    sys.exit(1)
