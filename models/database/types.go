package database

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// registerTypes makes times come back in UTC, numbers of type numeric as text, with all
// of their decimals, and ids go both ways in binary. pgx
// would format and parse a uuid.UUID as text, because it is a sql.Scanner and a
// driver.Valuer: a tenth of the time that a page takes.
func registerTypes(types *pgtype.Map) {
	types.RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	types.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numericCodec{}})
	types.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}})
}

type numericCodec struct{ pgtype.NumericCodec }

// PreferredFormat is text.
func (numericCodec) PreferredFormat() int16 { return pgtype.TextFormatCode }

type uuidCodec struct{ pgtype.UUIDCodec }

// PlanScan reads a uuid.UUID from binary, and leaves the rest to pgx.
func (c uuidCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

// PlanEncode writes a uuid.UUID in binary, and leaves the rest to pgx.
func (c uuidCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

type uuidPlan struct{}

func (uuidPlan) Scan(source []byte, target any) error {
	id, err := uuid.FromBytes(source) // fails for null
	*target.(*uuid.UUID) = id
	return err
}

func (uuidPlan) Encode(value any, b []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(b, id[:]...), nil
}

// Clock is the database's time, also in a transaction that has waited: the value of every time
// that is stored.
var Clock = clause.Expr{SQL: "clock_timestamp()"}

// Now returns the database's time, for a time that is stored and computed from it.
func Now(db *gorm.DB) (now time.Time, err error) {
	err = db.Raw(`SELECT clock_timestamp()`).Scan(&now).Error
	return now, err
}
