"""Copies your transactions into a SQLite file. Each run reads only what is new, and removes what
was withdrawn. With --follow it keeps waiting for changes, whatever outages there are:

    DISPO_KEY=dispo_… python3 sync.py [--follow] [FILE]

The table transactions has the API's fields as columns, but amountOere, in øre, for amountDkk.

This program is short, so that you can make it your own, and it proves nothing. The clients in Go
and TypeScript also copy the companies, and prove by number and sum that nothing is missing: see
/docs/clients. Needs Python 3.9 or later, and no packages.
"""

import http.client
import itertools
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request

KEY = os.environ.get("DISPO_KEY", "").strip()
BASE_URL = os.environ.get("DISPO_URL") or "https://dispo.example/api"
FOLLOW = "--follow" in sys.argv
FILE = ([x for x in sys.argv[1:] if x != "--follow"] or ["dispo.sqlite"])[0]
MAX_WAIT = 50  # seconds; many proxies end a request after 60
PAUSES = [1, 2, 4, 8, 16, 32, 60]  # seconds, after failures in a row
SCHEMA = """
CREATE TABLE transactions (
  id TEXT PRIMARY KEY, cardNetworkDeliveryFileId TEXT NOT NULL, recordIndex INTEGER NOT NULL, cvr TEXT NOT NULL,
  regNumber TEXT NOT NULL, accountNumber TEXT NOT NULL, transferType TEXT NOT NULL, dispositionDate TEXT NOT NULL,
  count INTEGER NOT NULL, amountOere INTEGER NOT NULL, rawLine TEXT NOT NULL, createdAt TEXT, updatedAt TEXT,
  filename TEXT NOT NULL, processedAt TEXT
) WITHOUT ROWID;
CREATE INDEX transactions_file ON transactions (cardNetworkDeliveryFileId);
CREATE TABLE copy (after TEXT NOT NULL, history TEXT NOT NULL);
INSERT INTO copy VALUES ('', '');
PRAGMA user_version = 100; -- the clients' copies have others
"""


class OtherHistory(Exception):
    """The copy does not belong to the data that the service has now."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):  # the API never redirects, and the key must not follow to another server
        return None


def get(path, etag=""):
    """Request a path, and return the body and the headers. With an ETag, wait until it has changed,
    and return None as the body if it does not. Try again after limits, outages and failures."""
    wait = {"If-None-Match": etag, "Prefer": f"wait={MAX_WAIT}"} if etag else {}
    headers = {"X-API-Key": KEY, "User-Agent": "dispo-sample-python", **wait}
    for attempt in itertools.count(1):
        pause = PAUSES[min(attempt, 7) - 1]
        try:
            request = urllib.request.Request(BASE_URL + path, headers=headers)
            with urllib.request.build_opener(NoRedirect).open(request, timeout=30 + MAX_WAIT) as response:
                return json.load(response), response.headers
        except urllib.error.HTTPError as response:
            if response.code == 304:
                return None, response.headers
            problem = f"{response.code} {response.read(1000).decode(errors='replace')}"
            if response.code == 401 or response.code != 429 and response.code < 500 and not FOLLOW:
                sys.exit(problem)
            retry_after = response.headers.get("Retry-After", "")
            if retry_after.isdecimal():
                pause = int(retry_after) if response.code == 429 else max(pause, int(retry_after))
        except (OSError, http.client.HTTPException, ValueError) as failure:
            problem = str(failure) or type(failure).__name__
        if attempt == 5 and not FOLLOW:
            sys.exit(f"{problem}; gave up after {attempt} tries")
        print(f"{problem}; trying again in {pause} s", file=sys.stderr)
        time.sleep(pause)


def pages(path, after, history, etag=""):
    """Yield a list's pages after an id, with their headers. The first is None if it still has that ETag."""
    while True:
        page, headers = get(f"{path}?limit=1000" + (f"&after={after}" if after else ""), etag)
        if headers.get("X-Data-History", history) != history:
            raise OtherHistory()
        yield page, headers
        if page is None or not page["meta"]["hasMore"]:
            return
        after, etag = page["data"][-1]["id"], ""


def sync(etag):
    """Copy what is new. With an ETag, wait for it. Return the next ETag, or None if there were changes."""
    after, history = copy.execute("SELECT * FROM copy").fetchone()
    if not after:  # begin a new copy, which follows the changes after the newest one
        newest, headers = get("/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff")
        after = newest["data"][0]["id"] if newest["data"] else "00000000-0000-0000-0000-000000000000"
        history = headers.get("X-Data-History", "")
        with copy:
            copy.execute("DELETE FROM transactions")
            copy.execute("UPDATE copy SET after = ?, history = ?", (after, history))
    changes = []
    for page, headers in pages("/v1/changes", after, history, etag):
        if page is None:
            return etag
        changes += page["data"]
    time.sleep(1)  # responses may be a second behind; after it, none has what these changes withdrew
    withdrawn = [(x["cardNetworkDeliveryFileId"],) for x in changes if x["type"] == "delivery.withdrawn"]
    with copy:
        copy.executemany("DELETE FROM transactions WHERE cardNetworkDeliveryFileId = ?", withdrawn)
    columns = [x[1] for x in copy.execute("PRAGMA table_info(transactions)")]
    for page, _ in pages("/v1/transactions", copy.execute("SELECT max(id) FROM transactions").fetchone()[0], history):
        for item in page["data"]:
            item["amountOere"] = int(item["amountDkk"].replace(".", ""))
        with copy:
            copy.executemany(f"REPLACE INTO transactions VALUES (:{',:'.join(columns)})", page["data"])
    with copy:
        copy.execute("UPDATE copy SET after = ?", (changes[-1]["id"] if changes else after,))
    return None if changes else headers.get("ETag", "")


if not (KEY.startswith("dispo_") and KEY.isascii() and KEY.isidentifier()):
    sys.exit("Set DISPO_KEY to your API key.")
os.umask(0o077)  # the data is your organization's
lock = sqlite3.connect(FILE + "-lock", timeout=0.5, isolation_level=None)
try:
    lock.execute("BEGIN EXCLUSIVE")  # until the process ends; the copy itself can be read meanwhile
except sqlite3.OperationalError:
    sys.exit(f"Another program is syncing the copy in {FILE}.")
copy = sqlite3.connect(FILE, timeout=10)
copy.execute("PRAGMA journal_mode = WAL")
if copy.execute("PRAGMA user_version").fetchone() == (0,):
    copy.executescript(f"BEGIN; {SCHEMA} COMMIT;")
if copy.execute("PRAGMA user_version").fetchone() != (100,):
    sys.exit(f"{FILE} is another program's copy: move it away, and a new one is made.")
etag, idle, found = "", 0, None
while FOLLOW or found is None:
    since, found = time.monotonic(), None
    try:
        found = sync(etag)
    except OtherHistory:
        print("The data has another history than the copy, so all of it is read again.", file=sys.stderr)
        with copy:
            copy.execute("UPDATE copy SET after = ''")
        time.sleep(1)
    idle = 0 if found is None or found and not etag or time.monotonic() - since >= MAX_WAIT - 1 else idle + 1
    etag = found or ""
    if FOLLOW and idle:  # the service did not wait: perhaps a proxy removes Prefer, If-None-Match or ETag
        time.sleep(PAUSES[min(idle, 7) - 1])
print(f"The copy has {copy.execute('SELECT count(*) FROM transactions').fetchone()[0]} transactions.")
