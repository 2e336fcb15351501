package keys

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// elsewhere is the reason of a request from where its key is not allowed.
const elsewhere = "elsewhere"

// RefusedRequest is a request that was answered 401 or 429.
type RefusedRequest struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	At             time.Time
	KeyID          uuid.UUID
	Status         int
	Reason         string // of a 401, as Reason returns it; empty for a 429
	Method         string
	Path           string
	Address        string
	UserAgent      string
}

// Refusal is a refused request with the name and hint of its key.
type Refusal struct {
	RefusedRequest
	KeyName string
	KeyHint string
}

// Refusals returns the organization's latest refused requests, of one key or of all if
// keyID is nil, the newest first.
func Refusals(ctx context.Context, tenant models.Tenant, keyID *uuid.UUID, limit int) ([]Refusal, error) {
	// The limit comes first. PostgreSQL would rather read all keys of all organizations
	// and join them.
	latest := tenant.DB(ctx).Model(&RefusedRequest{}).Order("id DESC").Limit(limit)
	if keyID != nil {
		latest = latest.Where("key_id = ?", *keyID)
	}
	return models.Find[Refusal](tenant.DB(ctx).
		Table("(?) AS refused_requests", latest).
		Select("refused_requests.*, k.name AS key_name, k.hint AS key_hint").
		Joins("JOIN (?) AS k ON k.id = refused_requests.key_id", tenant.DB(ctx).Model(&Key{}).Select("id, name, hint")).
		Order("refused_requests.id DESC"))
}
