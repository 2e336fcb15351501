package api

import (
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
	b = appendTime(append(b, `,"startDate":`...), x.StartDate, dateFormat)
	b = appendTime(append(b, `,"endDate":`...), x.EndDate, dateFormat)
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
	b = appendTime(append(b, `,"createdAt":`...), x.CreatedAt, instantFormat)
	b = appendTime(append(b, `,"updatedAt":`...), x.UpdatedAt, instantFormat)
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
	b = appendTime(append(b, `,"dispositionDate":`...), x.DispositionDate, dateFormat)
	b = strconv.AppendInt(append(b, `,"count":`...), x.Count, 10)
	b = appendString(append(b, `,"amountDkk":`...), x.AmountDKK)
	b = appendString(append(b, `,"rawLine":`...), x.RawLine)
	// A record never changes, so it was last changed when it came.
	b = appendTime(append(b, `,"createdAt":`...), x.CreatedAt, instantFormat)
	b = appendTime(append(b, `,"updatedAt":`...), x.CreatedAt, instantFormat)
	b = appendString(append(b, `,"filename":`...), x.Filename)
	b = append(b, `,"processedAt":`...)
	if x.ProcessedAt == nil {
		b = append(b, "null"...)
	} else {
		b = appendTime(b, *x.ProcessedAt, instantFormat)
	}
	return append(b, '}')
}

const (
	dateFormat    = time.DateOnly
	instantFormat = "2006-01-02T15:04:05.000Z" // RFC 3339, of a time in UTC
)

func appendTime(b []byte, t time.Time, format string) []byte {
	return append(t.UTC().AppendFormat(append(b, '"'), format), '"')
}

func appendUUID(b []byte, id uuid.UUID) []byte {
	return append(append(append(b, '"'), id.String()...), '"')
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
