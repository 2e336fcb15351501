package web

type docsField struct{ name, kind, meaning string }

func companyFields() []docsField {
	return []docsField{
		{"id", "string", "Also used as the cursor in `after` and `before`."},
		{"cvr", "string", "8 digits."},
		{"name", "string", "The company’s name."},
		{"address", "string or null", "One line."},
		{"startDate", "string", "Start of the registration, YYYY-MM-DD."},
		{"endDate", "string", "End of the registration, or `9999-12-31` if it is open-ended."},
		{"status", "string", "`CREATED` (pending), `REGISTERED` (active with the card network), `MODIFIED` (details changed), `TERMINATED` or `REJECTED`."},
		{"senderRegNumber, senderAccountNumber", "string or null", "The sender’s bank registration number, 4 digits, and account number, up to 10."},
		{"receiverRegNumber, receiverAccountNumber", "string or null", "The same for the receiver."},
		{"defaultAmountCents", "number or null", "An integer, in øre (1/100 DKK)."},
		{"createdAt, updatedAt", "string", "Such as `2026-01-31T12:00:00.000Z`, always in UTC."},
	}
}

func transactionFields() []docsField {
	return []docsField{
		{"id", "string", "Also used as the cursor in `after` and `before`."},
		{"cardNetworkDeliveryFileId", "string", "The delivery file it came from."},
		{"recordIndex", "number", "The number of its line in that file, starting at 0."},
		{"cvr", "string", "The company’s CVR."},
		{"regNumber, accountNumber", "string", "Bank registration number and account number."},
		{"transferType", "string", "As in the delivery file. New values may appear."},
		{"dispositionDate", "string", "YYYY-MM-DD."},
		{"count", "number", "An integer: how many payments the record covers."},
		{"amountDkk", "string", "A decimal string with two decimals, such as `\"1234.50\"` or `\"-1234.50\"`."},
		{"rawLine", "string", "The record as delivered."},
		{"createdAt, updatedAt", "string or null", "Such as `2026-01-31T12:00:00.000Z`, always in UTC."},
		{"filename", "string", "The delivery file’s name."},
		{"processedAt", "string or null", "When the file’s import completed."},
	}
}
