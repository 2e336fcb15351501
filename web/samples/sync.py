"""Copies your companies and transactions into a folder, and proves that the copy is
complete. Each run reads only what is new. With --follow it keeps waiting for changes:

    DISPO_KEY=dispo_… python3 sync.py [--follow] [FOLDER]

The folder has companies.jsonl, with a company on each line, and transactions.jsonl, with
a transaction on each. "state" has the id of the last change that was handled, and the
version of the data that the copy was proved against. If a run is killed, the next one
cuts off an unfinished line and continues from there.

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
BEHIND = 1  # seconds that responses may be behind the data
FEW_COMPANIES = 10  # are read one by one, however many there are

decimal.getcontext().prec = 50  # digits; sums must not be rounded


class Failure(Exception):
    """Ends the program with a message."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and the key must not follow to another server."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def get(path, etag=""):
    """Request a path, and return the body and the headers. With an ETag, wait until it has
    changed, and return None as the body if it does not. Pause and try again if a limit is
    reached, the service is unavailable, or the network fails."""
    headers = {"X-API-Key": KEY}
    if etag:
        headers.update({"If-None-Match": etag, "Prefer": f"wait={MAX_WAIT}"})
    request = urllib.request.Request(BASE_URL + path, headers=headers)
    for attempt in range(1, MAX_TRIES + 1):
        pause = 2 ** (attempt - 1)
        try:
            with opener.open(request, timeout=30 + MAX_WAIT) as response:
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
            if etag and response.code in (502, 503, 504):  # the wait was ended early
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


def replace(name, items=()):
    """Write a file so that, whatever happens, it has the old content or the new one."""
    with open(path_of(name + ".new"), "wb") as file:
        write(file, items)
    os.replace(path_of(name + ".new"), path_of(name))
    if os.name == "posix":  # the folder must be on disk, too
        folder = os.open(FOLDER, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


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


def pages(path, after="", etag=""):
    """Yield a list's pages after an id, with their headers. The first is None if it still
    has that ETag."""
    limit = 100 if path == "/v1/companies" else 1000
    while True:
        page, headers = get(f"{path}?limit={limit}" + (f"&after={after}" if after else ""), etag)
        yield page, headers
        if page is None or not page["meta"]["hasMore"]:
            return
        after, etag = page["data"][-1]["id"], ""


def set_state(after, version=""):
    replace("state", [{"after": after, "version": version}])


def measure():
    """Return the last id, the number and the sum of the copy's transactions."""
    last, count, amount = "", 0, decimal.Decimal(0)
    for transaction in read("transactions.jsonl"):
        last, count, amount = transaction["id"], count + 1, amount + decimal.Decimal(transaction["amountDkk"])
    return last, count, amount


def all_companies(most, versions):
    """Return all companies, or none if they have more pages than most. Add the versions of
    their pages."""
    companies = []
    for page, headers in pages("/v1/companies"):
        if page["meta"]["total"] > most * 100:
            return []
        companies += page["data"]
        versions.add(headers["X-Data-Version"])
    return companies


def start():
    """Begin a new copy, which follows the changes after the newest one."""
    newest, _ = get("/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff")
    time.sleep(BEHIND)
    replace("transactions.jsonl")
    replace("companies.jsonl", all_companies(sys.maxsize, set()))
    set_state(newest["data"][0]["id"] if newest["data"] else "00000000-0000-0000-0000-000000000000")


def handle(changes, versions):
    """Bring the copy up to date with changes. Return the last page of transactions and its
    headers. Add the versions of all responses."""
    withdrawn = {x["cardNetworkDeliveryFileId"] for x in changes if x["type"] == "delivery.withdrawn"}
    if withdrawn:
        replace("transactions.jsonl", (x for x in read("transactions.jsonl") if x["cardNetworkDeliveryFileId"] not in withdrawn))
    cvrs = [x["cvr"] for x in changes if x["type"] == "company.changed"]
    changed = []
    if len(cvrs) > FEW_COMPANIES:  # the first page says how many there are
        changed = all_companies(len(cvrs), versions)
    if not changed:
        for cvr in cvrs:
            company, headers = get(f"/v1/companies/{cvr}")
            changed.append(company)
            versions.add(headers["X-Data-Version"])
    if changed:
        companies = {x["id"]: x for x in [*read("companies.jsonl"), *changed]}
        replace("companies.jsonl", (companies[id] for id in sorted(companies)))
    last, _, _ = measure()
    with open(path_of("transactions.jsonl"), "ab") as file:
        for page, headers in pages("/v1/transactions", last):
            write(file, page["data"])
            versions.add(headers["X-Data-Version"])
    return page, headers


def sync(etag=""):
    """Bring the copy up to date, and prove it. With an ETag, wait for changes first. Return
    the ETag with which to wait for the next ones."""
    wrong = 0
    while True:
        state = next(read("state"), None)
        if not state:
            start()
            continue
        changes = []
        for page, headers in pages("/v1/changes", state["after"], etag):
            if page is None:
                return etag
            changes += page["data"]
        version = headers["X-Data-Version"]
        after, etag = (changes[-1]["id"], "") if changes else (state["after"], headers["ETag"])
        if not changes and version == state["version"]:
            if "--follow" not in sys.argv:
                print("Nothing has changed since the copy was proved.")
            return etag
        if state["version"]:  # from here on, the copy is not what was proved
            set_state(state["after"])
        versions = {version}
        transactions, totals = handle(changes, versions)
        _, count, amount = measure()
        # Responses with one version belong together. If there are several, because the data
        # changed meanwhile or an instance is behind, the same changes are handled again,
        # after a pause in which all instances hear of them.
        if len(versions) == 1:
            if count == transactions["meta"]["total"] and amount == decimal.Decimal(totals["X-Total-Amount-Dkk"]):
                set_state(after, version)
                print(f"The copy is complete: {count} transactions, {amount} DKK.", flush=True)
                return etag
            wrong += 1  # the first time, perhaps the copy is newer than that page
            if wrong == 2:
                print("The copy is damaged. Reading all data again.", file=sys.stderr)
                replace("state")
            elif wrong == 4:
                raise Failure("the copy differs from the API's number and sum")
        etag = ""
        time.sleep(BEHIND)


if not re.fullmatch(r"dispo_[0-9A-Za-z_]+", KEY):
    print("Set DISPO_KEY to your API key.", file=sys.stderr)
    sys.exit(2)
try:
    locked = lock()
    etag = sync()
    while "--follow" in sys.argv:
        etag = sync(etag)
except (Failure, OSError, ValueError) as failure:
    print("The copy is not complete:", failure, file=sys.stderr)
    sys.exit(1)
