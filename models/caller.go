package models

import "github.com/google/uuid"

// Caller is whoever a verified key stands for.
type Caller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
}
