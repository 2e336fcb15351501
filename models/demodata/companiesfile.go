package demodata

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"time"
)

// companiesForm is the format of a file of companies. The import accepts all of them.
type companiesForm struct {
	separator     rune
	byteOrderMark bool
	crlf          bool
	openEnd       string // the end of an open-ended registration
}

var companiesHeader = []string{
	"cvr", "name", "address", "startDate", "endDate", "status",
	"senderRegNumber", "senderAccountNumber", "receiverRegNumber", "receiverAccountNumber",
	"defaultAmountCents",
}

// writeCompanies writes the file that `dispo import companies` reads.
func writeCompanies(path string, g group) error {
	var file bytes.Buffer
	if g.form.byteOrderMark {
		file.WriteString("\ufeff")
	}
	rows := csv.NewWriter(&file)
	rows.Comma = g.form.separator
	rows.UseCRLF = g.form.crlf
	if err := rows.Write(companiesHeader); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	for _, c := range g.companies {
		if err := rows.Write(c.row(g.form)); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	rows.Flush()
	return os.WriteFile(path, file.Bytes(), 0o644)
}

func (c *company) row(form companiesForm) []string {
	end := form.openEnd
	if !c.end.IsZero() {
		end = c.end.Format(time.DateOnly)
	}
	var sender, receiver account
	if !c.senderUnknown {
		sender = c.sender
	}
	if !c.receiverUnknown {
		receiver = c.receiver
	}
	defaultAmount := ""
	if c.defaultAmountCents > 0 {
		defaultAmount = strconv.Itoa(c.defaultAmountCents)
	}
	return []string{
		c.cvr, c.name, c.address, c.start.Format(time.DateOnly), end, c.status,
		sender.reg, sender.number, receiver.reg, receiver.number,
		defaultAmount,
	}
}
