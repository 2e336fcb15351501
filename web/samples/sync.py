"""Copies your companies and their transactions into a folder, and proves that the copy
is complete. Run it as often as you like, one run at a time: it reads only what is new,
and one request tells it that nothing is.

    DISPO_KEY=dispo_… python3 sync.py [FOLDER]

The folder has companies.jsonl, with a company on each line, and for each company
CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
killed while it writes, the next one cuts off what is not a whole line, and goes on from
there.

The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
setting is missing. Needs Python 3.9 or later, and no packages.
"""

import decimal
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

KEY = os.environ.get("DISPO_KEY", "").strip()
BASE_URL = os.environ.get("DISPO_URL") or "https://dispo.example/api"
FOLDER = sys.argv[1] if len(sys.argv) > 1 else "dispo-copy"
MAX_TRIES = 5  # of one request

decimal.getcontext().prec = 50  # digits; sums must not be rounded


class Failure(Exception):
    """Ends the program with a message."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and the key must not follow to another server."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def get(path, etag=""):
    """Request a path, and return the body and the headers; no body if the ETag is still
    current. Wait and try again if a limit is reached, the service is unavailable, or the
    network fails."""
    headers = {"X-API-Key": KEY}
    if etag:
        headers["If-None-Match"] = etag
    request = urllib.request.Request(BASE_URL + path, headers=headers)
    for attempt in range(1, MAX_TRIES + 1):
        wait = 2 ** (attempt - 1)
        try:
            with opener.open(request, timeout=30) as response:
                return json.loads(response.read()), response.headers
        except urllib.error.HTTPError as response:
            if response.code == 304:
                return None, response.headers
            problem = describe(response)
            if response.code != 429 and response.code < 500:
                raise Failure(problem) from None
            retry_after = response.headers.get("Retry-After", "")
            if retry_after.isdecimal():
                wait = int(retry_after)
        except (OSError, http.client.HTTPException) as failure:
            problem = str(failure) or type(failure).__name__
        if attempt < MAX_TRIES:
            print(f"{problem}; trying again in {wait} s (try {attempt} of {MAX_TRIES})", file=sys.stderr)
            time.sleep(wait)
    raise Failure(f"{problem}; gave up after {MAX_TRIES} tries")


def describe(response):
    """Return the API's error as text."""
    try:
        error = json.loads(response.read())["error"]
        text = f"{error['code']}: {error['message']}"
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        text = "this is not an answer of the API"  # but of a proxy, perhaps
    return f"{response.code} {text} (X-Request-Id {response.headers.get('X-Request-Id', '')})"


def line(item):
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def replace(name, content):
    """Write a file so that it has the old content or the new one, whatever happens."""
    path = os.path.join(FOLDER, name)
    with open(path + ".new", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


class Copy:
    """The copy of one company's transactions."""

    def __init__(self, cvr):
        self.file = open(os.path.join(FOLDER, cvr + ".jsonl"), "ab+")
        self.file.seek(0)
        self.last, self.count, self.sum = "", 0, decimal.Decimal(0)
        end = 0
        for text in self.file:
            try:
                transaction = json.loads(text)
            except ValueError:
                break
            if not text.endswith(b"\n"):
                break
            self.add(transaction)
            end += len(text)
        self.file.truncate(end)

    def add(self, transaction):
        self.last = transaction["id"]
        self.count += 1
        self.sum += decimal.Decimal(transaction["amountDkk"])

    def append(self, transactions):
        self.file.write(b"".join(map(line, transactions)))
        self.file.flush()
        os.fsync(self.file.fileno())
        for transaction in transactions:
            self.add(transaction)

    def clear(self):
        self.file.truncate(0)
        self.last, self.count, self.sum = "", 0, decimal.Decimal(0)


def sync_company(company):
    """Read what the copy lacks of a company's transactions, and prove the copy by their
    number and sum."""
    cvr = company["cvr"]
    copy = Copy(cvr)
    for _ in range(2):
        had, more = copy.count, True
        while more:
            after = f"&after={copy.last}" if copy.last else ""
            page, headers = get(f"/v1/companies/{cvr}/transactions?limit=100{after}")
            copy.append(page["data"])
            more = page["meta"]["hasMore"]
        amount = headers["X-Total-Amount-Dkk"]
        if copy.count == page["meta"]["total"] and copy.sum == decimal.Decimal(amount):
            print(f"{cvr} {company['name']}: {copy.count} transactions, {copy.count - had} new, {amount} DKK")
            return
        print(f"{cvr}: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.", file=sys.stderr)
        copy.clear()
    raise Failure(f"{cvr}: number and sum keep changing")


def sync():
    os.umask(0o077)  # the data is your organization's
    os.makedirs(FOLDER, exist_ok=True)
    # The ETag changes whenever anything of the organization changes.
    etag = ""
    if os.path.exists(os.path.join(FOLDER, "etag")):
        with open(os.path.join(FOLDER, "etag"), encoding="ascii") as file:
            etag = file.read()
    page, headers = get("/v1/companies?limit=100", etag)
    if page is None:
        print("Nothing has changed since the copy was proved.")
        return
    new_etag = headers["ETag"]
    time.sleep(1)  # answers are up to a second behind the data, but now as new as the ETag
    companies = page["data"]
    while page["meta"]["hasMore"]:
        page, _ = get(f"/v1/companies?limit=100&after={companies[-1]['id']}")
        companies += page["data"]
    replace("companies.jsonl", b"".join(map(line, companies)))
    for company in companies:
        sync_company(company)
    # Kept only now, and from before the first read: a change since then is found next time.
    replace("etag", new_etag.encode())
    print(f"{len(companies)} companies. The copy is complete.")


if not re.fullmatch(r"dispo_[0-9A-Za-z_]+", KEY):
    print("Set DISPO_KEY to your API key.", file=sys.stderr)
    sys.exit(2)
try:
    sync()
except (Failure, OSError, ValueError) as failure:
    print("The copy is not complete:", failure, file=sys.stderr)
    sys.exit(1)
