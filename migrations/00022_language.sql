-- +goose Up
-- The language that a user chose for pages and e-mails; empty means the browser's.
ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT '' CHECK (language IN ('', 'en', 'da'));
