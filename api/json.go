package api

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
)

// Answers are written field by field: a page of transactions takes a third of
// the time that reflection takes, and the order of fields is the contract's.

// sendJSON answers with a body that is JSON already; it is not to be touched after.
func sendJSON(c *fiber.Ctx, body []byte) error {
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(body)
	return nil
}

func appendCompany(b []byte, x *models.Company) []byte {
	b = appendUUID(append(b, `{"id":`...), x.ID)
	b = appendString(append(b, `,"cvr":`...), x.CVR)
	b = appendString(append(b, `,"name":`...), x.Name)
	b = appendNullable(append(b, `,"address":`...), x.Address)
	b = appendDate(append(b, `,"startDate":`...), x.StartDate)
	b = appendDate(append(b, `,"endDate":`...), x.EndDate)
	b = appendString(append(b, `,"status":`...), x.Status)
	b = appendNullable(append(b, `,"senderRegNumber":`...), x.SenderRegNumber)
	b = appendNullable(append(b, `,"senderAccountNumber":`...), x.SenderAccountNumber)
	b = appendNullable(append(b, `,"receiverRegNumber":`...), x.ReceiverRegNumber)
	b = appendNullable(append(b, `,"receiverAccountNumber":`...), x.ReceiverAccountNumber)
	b = append(b, `,"defaultAmountCents":`...)
	if x.DefaultAmountCents == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *x.DefaultAmountCents, 10)
	}
	b = appendInstant(append(b, `,"createdAt":`...), x.CreatedAt)
	b = appendInstant(append(b, `,"updatedAt":`...), x.UpdatedAt)
	return append(b, '}')
}

func appendTransaction(b []byte, x *models.Transaction) []byte {
	b = appendUUID(append(b, `{"id":`...), x.ID)
	b = appendUUID(append(b, `,"cardNetworkDeliveryFileId":`...), x.DeliveryFileID)
	b = strconv.AppendInt(append(b, `,"recordIndex":`...), x.RecordIndex, 10)
	b = appendString(append(b, `,"cvr":`...), x.CVR)
	b = appendString(append(b, `,"regNumber":`...), x.RegNumber)
	b = appendString(append(b, `,"accountNumber":`...), x.AccountNumber)
	b = appendString(append(b, `,"transferType":`...), x.TransferType)
	b = appendDate(append(b, `,"dispositionDate":`...), x.DispositionDate)
	b = strconv.AppendInt(append(b, `,"count":`...), x.Count, 10)
	b = appendString(append(b, `,"amountDkk":`...), x.AmountDKK)
	b = appendString(append(b, `,"rawLine":`...), x.RawLine)
	// A record never changes, so it was last changed when it came.
	b = appendInstant(append(b, `,"createdAt":`...), x.CreatedAt)
	b = appendInstant(append(b, `,"updatedAt":`...), x.CreatedAt)
	b = appendString(append(b, `,"filename":`...), x.Filename)
	b = append(b, `,"processedAt":`...)
	if x.ProcessedAt == nil {
		b = append(b, "null"...)
	} else {
		b = appendInstant(b, *x.ProcessedAt)
	}
	return append(b, '}')
}

// appendDate writes the day: "2026-01-31".
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.UTC().Date()
	b = appendDigits(append(b, '"'), year, 4)
	b = appendDigits(append(b, '-'), int(month), 2)
	return append(appendDigits(append(b, '-'), day, 2), '"')
}

// appendInstant writes the instant as RFC 3339 has it, in UTC with milliseconds:
// "2026-01-31T12:00:00.000Z".
func appendInstant(b []byte, t time.Time) []byte {
	t = t.UTC()
	hour, minute, second := t.Clock()
	b = appendDate(b, t)
	b[len(b)-1] = 'T'
	b = appendDigits(b, hour, 2)
	b = appendDigits(append(b, ':'), minute, 2)
	b = appendDigits(append(b, ':'), second, 2)
	b = appendDigits(append(b, '.'), t.Nanosecond()/1_000_000, 3)
	return append(b, `Z"`...)
}

// appendDigits writes a number's last digits, with leading zeros.
func appendDigits(b []byte, n, digits int) []byte {
	start := len(b)
	b = append(b, "0000"[:digits]...)
	for i := len(b) - 1; i >= start; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

// appendUUID writes the id in its text form (RFC 9562 section 4), in quotation marks.
func appendUUID(b []byte, id uuid.UUID) []byte { return append(appendID(append(b, '"'), id), '"') }

func appendID(b []byte, id uuid.UUID) []byte {
	b = append(hex.AppendEncode(b, id[:4]), '-')
	b = append(hex.AppendEncode(b, id[4:6]), '-')
	b = append(hex.AppendEncode(b, id[6:8]), '-')
	b = append(hex.AppendEncode(b, id[8:10]), '-')
	return hex.AppendEncode(b, id[10:])
}

func appendNullable(b []byte, text *string) []byte {
	if text == nil {
		return append(b, "null"...)
	}
	return appendString(b, *text)
}

// appendString writes a JSON string (RFC 8259 section 7); one that needs an
// escape is left to the library.
func appendString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(text)
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}
