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
-- One row: the last change that was handled ('' before the first copy), the version at which the copy was proved
-- ('' if it is not), number and sum of the transactions, which the triggers keep, and the history of the data ('' if
-- the service did not name one).
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
PRAGMA user_version = 2;
