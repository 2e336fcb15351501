"""Copies your companies and transactions into a SQLite file, and proves that the copy is
complete. Each run reads only what is new. With --follow it keeps waiting for changes:

    DISPO_KEY=dispo_… python3 sync.py [--follow] [FILE]

The tables companies and transactions have the API's fields as columns, but for amountOere,
which is amountDkk in øre. The table copy has one row: the last change that was handled, the
version of the data at which the copy was proved, which is empty if it is not proved, the
number and sum of the transactions, and the history of the data. If a run is killed, the next
one continues from there. With --follow, no outage ends it.

The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
setting is missing. Needs Python 3.9 or later, and no packages.
"""

import contextlib
import http.client
import itertools
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
FOLLOW = "--follow" in sys.argv
FILE = ([x for x in sys.argv[1:] if x != "--follow"] or ["dispo.sqlite"])[0]
MAX_TRIES = sys.maxsize if FOLLOW else 5  # of one request
MAX_WAIT = 50  # seconds; many proxies end a request after 60
BEHIND = 1  # seconds that responses may be behind the data
FEW_COMPANIES = 10  # are read one by one, however many there are
BULK_REQUESTS = 20  # that a bulk read counts as
BATCH = 5000  # transactions of a bulk read that are stored at once
EDITION = 2  # of the tables
SCHEMA = f"""
CREATE TABLE companies (
  cvr TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, address TEXT, startDate TEXT NOT NULL, endDate TEXT NOT NULL,
  status TEXT NOT NULL, senderRegNumber TEXT, senderAccountNumber TEXT, receiverRegNumber TEXT, receiverAccountNumber TEXT,
  defaultAmountCents INTEGER, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE transactions (
  id TEXT PRIMARY KEY, cardNetworkDeliveryFileId TEXT NOT NULL, recordIndex INTEGER NOT NULL, cvr TEXT NOT NULL,
  regNumber TEXT NOT NULL, accountNumber TEXT NOT NULL, transferType TEXT NOT NULL, dispositionDate TEXT NOT NULL,
  count INTEGER NOT NULL, amountOere INTEGER NOT NULL, rawLine TEXT NOT NULL, createdAt TEXT, updatedAt TEXT,
  filename TEXT NOT NULL, processedAt TEXT
) WITHOUT ROWID;
CREATE INDEX transactions_file ON transactions (cardNetworkDeliveryFileId);
CREATE TABLE copy (
  after TEXT NOT NULL, version TEXT NOT NULL, transactions INTEGER NOT NULL, amountOere INTEGER NOT NULL, history TEXT NOT NULL DEFAULT ''
);
INSERT INTO copy VALUES ('', '', 0, 0, '');
CREATE TRIGGER transactions_insert AFTER INSERT ON transactions BEGIN
  UPDATE copy SET version = '', transactions = transactions + 1, amountOere = amountOere + NEW.amountOere;
END;
CREATE TRIGGER transactions_delete AFTER DELETE ON transactions BEGIN
  UPDATE copy SET version = '', transactions = transactions - 1, amountOere = amountOere - OLD.amountOere;
END;
CREATE TRIGGER transactions_update AFTER UPDATE ON transactions BEGIN
  UPDATE copy SET version = '', amountOere = amountOere + NEW.amountOere - OLD.amountOere;
END;
PRAGMA user_version = {EDITION};
"""
RECOUNT = "UPDATE copy SET (transactions, amountOere) = (SELECT count(*), coalesce(sum(amountOere), 0) FROM transactions)"


class Failure(Exception):
    """Ends the program with a message."""


class NoCompany(Exception):
    """A server is behind, or the data went back in time."""


class OtherHistory(Exception):
    """The copy does not belong to the data that the service has now."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and the key must not follow to another server."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def get(path, etag=""):
    """Request a path, and return the body and the headers. With an ETag, wait until it has
    changed, and return None as the body if it does not."""
    headers = {"If-None-Match": etag, "Prefer": f"wait={MAX_WAIT}"} if etag else {}
    return request(lambda: path, headers, lambda response: json.loads(response.read()))


def request(path_of_try, more_headers, read):
    """Send a request, and return what read returns of the response, and the headers. Pause
    and try again if a limit is reached, the service is unavailable, or the network fails."""
    for attempt in range(1, MAX_TRIES + 1):
        pause = step(attempt)
        try:
            headers = {"X-API-Key": KEY, "User-Agent": "dispo-sample-python", **more_headers}
            with opener.open(urllib.request.Request(BASE_URL + path_of_try(), headers=headers), timeout=30 + MAX_WAIT) as response:
                return read(response), response.headers
        except urllib.error.HTTPError as response:
            if response.code == 304:
                return None, response.headers
            code, problem = describe(response)
            if response.code != 429 and response.code < 500 and (code or not FOLLOW):
                raise NoCompany() if code == "COMPANY_NOT_FOUND" else Failure(problem) from None
            retry_after = response.headers.get("Retry-After", "")
            if retry_after.isdecimal():
                pause = int(retry_after) if response.code == 429 or not FOLLOW else max(pause, int(retry_after))
        except (OSError, http.client.HTTPException) as failure:
            problem = str(failure) or type(failure).__name__
        except ValueError as failure:
            problem = f"this response is not from the API: {failure}"
            if not FOLLOW:
                raise Failure(problem) from None
        if attempt < MAX_TRIES:
            print(f"{problem}; trying again in {pause} s", file=sys.stderr)
            time.sleep(pause)
    raise Failure(f"{problem}; gave up after {MAX_TRIES} tries")


def step(failures):
    """Return the pause after so many failures: 1, 2, 4 … 60 seconds."""
    return min(2 ** min(failures - 1, 6), 60)


def describe(response):
    """Return the API's error: its code, and a text."""
    code, text = "", "this response is not from the API"
    try:
        error = json.loads(response.read())["error"]
        code, text = error["code"], f"{error['code']}: {error['message']}"
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        pass
    return code, f"{response.code} {text} (X-Request-Id {response.headers.get('X-Request-Id', '')})"


def open_copy():
    """Lock the copy until the process ends, and open it. An open SQLite transaction is a
    lock on its file that the system releases, on Windows too. It is on a file of its own,
    so that the copy can be read meanwhile."""
    os.umask(0o077)  # the data is your organization's
    locked = sqlite3.connect(FILE + "-lock", timeout=0.5, isolation_level=None)  # of two that start at once, one gets it
    try:
        locked.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        raise Failure(f"another program is syncing the copy in {FILE}") from None
    copy = sqlite3.connect(FILE, timeout=10, isolation_level=None)
    copy.execute("PRAGMA journal_mode = WAL")
    copy.execute("PRAGMA synchronous = FULL")
    found = copy.execute("PRAGMA user_version").fetchone()[0]
    if found == 0:
        copy.executescript("BEGIN;" + SCHEMA + "COMMIT;")
    elif found == 1:  # the state had no history
        copy.executescript("BEGIN; ALTER TABLE copy ADD COLUMN history TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 2; COMMIT;")
    elif found != EDITION:
        raise Failure(f"{FILE} is a copy of another edition of this program: move it away, and a new copy is made")
    return copy, locked


def write(how, table, items):
    """Write rows of a table, whose columns are fields of the items."""
    columns = [x[1] for x in copy.execute(f"PRAGMA table_info({table})")]
    rows = ([x[column] for column in columns] for x in items)
    copy.executemany(f"{how} INTO {table} VALUES ({','.join('?' * len(columns))})", rows)


def add(transactions):
    write("INSERT", "transactions", ({**x, "amountOere": oere(x["amountDkk"])} for x in transactions))


def oere(amount):
    """Return an amount such as "1234.50" as an integer."""
    if not re.fullmatch(r"-?\d+\.\d\d", amount):
        raise Failure(f'"{amount}" is not an amount')
    return int(amount.replace(".", ""))


def one(sql):
    return copy.execute(sql).fetchone()


def last():
    """Return the greatest id of a transaction."""
    return one("SELECT max(id) FROM transactions")[0] or ""


def version_of(headers):
    """Return the version of a response, which must be of the copy's history, or name none."""
    if headers.get("X-Data-History", history) != history:
        raise OtherHistory()
    if not headers.get("X-Data-Version"):
        raise Failure("a response has no X-Data-Version, so the copy cannot be proved: something between the service and this program removes the header")
    return headers["X-Data-Version"]


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


def bulk():
    """Store all transactions that the copy lacks from one response, and return its headers.
    If it is cut off, continue with another one."""
    path = lambda: "/v1/transactions" + (f"?after={last()}" if last() else "")
    return request(path, {"Accept": "application/x-ndjson"}, store_lines)[1]


def store_lines(response):
    """Store a bulk read's transactions, some at a time. The last line says that it is whole."""
    while True:
        lines = list(itertools.islice(response, BATCH))
        items = [json.loads(x) for x in lines if x.endswith(b"\n")]
        whole = items and "meta" in items[-1]
        with transaction():
            add(items[:-1] if whole else items)
        if whole:
            return
        if not items:
            raise http.client.IncompleteRead(b"")


@contextlib.contextmanager
def transaction():
    """Change the copy as a whole or not at all."""
    copy.execute("BEGIN IMMEDIATE")
    with copy:  # commits, or rolls back
        yield


def all_companies(most, versions):
    """Return all companies, or none if they have more pages than most. Add the versions of
    their pages."""
    companies = []
    for page, headers in pages("/v1/companies"):
        if page["meta"]["total"] > most * 100:
            return []
        companies += page["data"]
        versions.add(version_of(headers))
    return companies


def start():
    """Begin a new copy, which follows the changes after the newest one. It belongs to the
    history of its companies."""
    global history
    newest, _ = get("/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff")
    time.sleep(BEHIND)
    companies, history = [], ""
    for page, headers in pages("/v1/companies"):
        history = history or headers.get("X-Data-History", "")
        version_of(headers)
        companies += page["data"]
    with transaction():
        copy.execute("DELETE FROM companies")
        copy.execute("DELETE FROM transactions")
        write("INSERT", "companies", companies)
        copy.execute("UPDATE copy SET history = ?", (history,))
        move(newest["data"][0]["id"] if newest["data"] else "00000000-0000-0000-0000-000000000000")


def move(after, version=""):
    """Store up to where the copy follows the changes, and the version that it was proved at."""
    copy.execute("UPDATE copy SET after = ?, version = ?", (after, version))


def handle(changes, versions):
    """Handle changes, and store the transactions that the copy lacks but for the last page.
    Return that page and its headers. Add the versions of all responses."""
    cvrs = [x["cvr"] for x in changes if x["type"] == "company.changed"]
    companies = []
    if len(cvrs) > FEW_COMPANIES:  # the first page says how many there are
        companies = all_companies(len(cvrs), versions)
    if not companies:
        for cvr in cvrs:
            try:
                company, headers = get(f"/v1/companies/{cvr}")
                companies.append(company)
                versions.add(version_of(headers))
            except NoCompany:
                versions.add("")
    withdrawn = [(x["cardNetworkDeliveryFileId"],) for x in changes if x["type"] == "delivery.withdrawn"]
    if withdrawn or companies:
        with transaction():
            copy.executemany("DELETE FROM transactions WHERE cardNetworkDeliveryFileId = ?", withdrawn)
            write("REPLACE", "companies", companies)
            copy.execute("UPDATE copy SET version = ''")
    while True:
        for page, headers in pages("/v1/transactions", last()):
            versions.add(version_of(headers))
            if not page["meta"]["hasMore"]:
                return page, headers
            with transaction():
                add(page["data"])
            missing = page["meta"]["total"] - one("SELECT transactions FROM copy")[0]
            if missing > BULK_REQUESTS * page["meta"]["limit"]:
                versions.add(version_of(bulk()))
                break


def sync(etag=""):
    """Bring the copy up to date, and prove it. With an ETag, wait for changes first. Return
    the ETag with which to wait for the next ones."""
    global history, idle
    restarted = False
    while True:
        after, proved, history = one("SELECT after, version, history FROM copy")
        if not after:
            start()
            continue
        if idle and proved:
            print(f"The service did not wait for a change: does a proxy remove or change Prefer, If-None-Match or ETag? Trying again in {step(idle)} s", file=sys.stderr)
        if not proved:
            etag = ""
        # A copy that is not proved may have rows that are newer than a server that is behind.
        time.sleep(max(step(idle) if idle else 0, 0 if proved else BEHIND))
        idle, since = idle + 1, time.monotonic()
        changes = []
        for page, headers in pages("/v1/changes", after, etag):
            if page is None:
                version = headers["X-Data-Version"] = headers.get("X-Data-Version", proved)  # proxies leave it out of a 304
            else:
                changes += page["data"]
                version = headers.get("X-Data-Version")
        if not history and proved and version == proved and not changes:  # the copy is of this version, and so of its history
            history = headers.get("X-Data-History", "")
            copy.execute("UPDATE copy SET history = ?", (history,))
        version = version_of(headers)
        if page is None:
            idle = 0 if time.monotonic() - since >= MAX_WAIT - 1 else idle
            return etag
        newest, next_etag = (changes[-1]["id"], "") if changes else (after, headers.get("ETag", ""))
        if next_etag and not etag or changes:
            idle = 0
        if not changes and version == proved:
            if not FOLLOW:
                print("Nothing has changed since the copy was proved.")
            return next_etag
        if not changes and proved:  # this version is older: a newer one has a change
            move(after)
            continue
        versions = {version}
        page, headers = handle(changes, versions)
        total = page["meta"]["total"], oere(headers.get("X-Total-Amount-Dkk", ""))
        with transaction():
            add(page["data"])
            # Responses with one version belong together. If there are several, because the
            # data changed meanwhile or an instance is behind, the same changes are handled again.
            if len(versions) == 1:
                if stored() != total:
                    copy.execute(RECOUNT)
                complete = stored() == total
                move(newest, version if complete else "")
            else:
                move(after)
        if len(versions) > 1:
            continue
        if complete:
            print(f"The copy is complete: {total[0]} transactions, {headers['X-Total-Amount-Dkk']} DKK.", flush=True)
            return next_etag
        if restarted:
            raise Failure("the copy differs from the API's number and sum")
        restarted = True
        print("The copy is damaged. Reading all data again.", file=sys.stderr)
        move("")


def stored():
    """Return the number and the sum of the copy's transactions."""
    return one("SELECT transactions, amountOere FROM copy")


if not re.fullmatch(r"dispo_[0-9A-Za-z_]+", KEY):
    print("Set DISPO_KEY to your API key.", file=sys.stderr)
    sys.exit(2)
try:
    copy, lock = open_copy()
    history, idle = "", 0  # of the copy; rounds that found nothing and did not wait for it
    etag, done = "", False
    while FOLLOW or not done:
        try:
            etag, done = sync(etag), True
        except OtherHistory:
            print("The service's data has another history than the copy, because it went back in time or is another organization's. Reading all data again.", file=sys.stderr)
            etag = ""
            move("")
except (Failure, OSError, ValueError, sqlite3.Error) as failure:
    print("The copy is not complete:", failure, file=sys.stderr)
    sys.exit(1)
