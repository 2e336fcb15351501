package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// writeRefused stores refused requests of many organizations.
func writeRefused(ctx context.Context, tx pgx.Tx, all []refusedRequest) error {
	var organizations, ids, keys []uuid.UUID
	var times []time.Time
	var statuses []int32
	var methods, paths, addresses, userAgents []string
	for _, r := range all {
		organizations, ids, keys = append(organizations, r.caller.OrganizationID), append(ids, newID()), append(keys, r.caller.KeyID)
		times, statuses = append(times, r.at), append(statuses, int32(r.request.Status))
		methods, paths = append(methods, r.request.Method), append(paths, r.request.Path)
		addresses, userAgents = append(addresses, r.request.Address), append(userAgents, r.request.UserAgent)
	}
	_, err := tx.Exec(ctx, `SELECT refused_requests_add($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		organizations, ids, times, keys, statuses, methods, paths, addresses, userAgents)
	return err
}

// RefusedRequest is a request of the organization's that was answered 401 or 429.
type RefusedRequest struct {
	At        time.Time
	KeyID     uuid.UUID
	KeyName   string
	KeyHint   string
	Status    int
	Method    string
	Path      string
	Address   string
	UserAgent string
}

// RefusedRequests lists the latest of the organization's refused requests.
func (t Tenant) RefusedRequests(ctx context.Context, limit int) ([]RefusedRequest, error) {
	var refused []RefusedRequest
	err := t.store.db.WithContext(t.bind(ctx)).Table("refused_requests AS r").
		Select("r.at, r.key_id, k.name AS key_name, k.hint AS key_hint, r.status, r.method, r.path, r.address, r.user_agent").
		Joins("JOIN api_keys k ON k.id = r.key_id").Where("r.organization_id = ?", t.organizationID).
		Order("r.id DESC").Limit(limit).Find(&refused).Error
	return refused, wrap(err)
}
