-- +goose Up
-- The audit log is filtered by person, by action, or by both. Each index has a filter's
-- entries in the order of the log, so a page reads only the entries that it shows. A
-- filter by time needs none: ids begin with the time.
CREATE INDEX audit_log_person ON audit_log (organization_id, user_email, id);
CREATE INDEX audit_log_action ON audit_log (organization_id, action, id);
CREATE INDEX audit_log_person_action ON audit_log (organization_id, user_email, action, id);
