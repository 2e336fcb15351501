package demodata

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
)

const (
	// supplierCVR is the CVR of the made-up network.
	supplierCVR = "99990007"
	// osTransferType is the type of every section, because the layout has no names for
	// types.
	osTransferType = "80"
	// osTransfersMost is the maximum number of transfers of a disposition.
	osTransfersMost = 4
	osDate          = "020106"
)

// osDelivery encodes a delivery in the os layout, in ISO-8859-1 with CR LF line ends.
// Each disposition is a section, which starts with an OS2, has some OS5 transfers and
// ends with an OS8, its record. The section's count is the number of its transfers.
func osDelivery(r *rand.Rand, day time.Time, dispositions []disposition) ([]byte, error) {
	var file strings.Builder
	line := func(format string, fields ...any) { fmt.Fprintf(&file, format+"\r\n", fields...) }

	_, week := day.ISOWeek()
	text := fmt.Sprintf("Kortomsætning uge %02d", week)
	var count, amountOre int64

	line("OS121%-14s%09d%012d%s%03d%s%d%020d", "DEMO-NETVÆRKET", 0, 0, day.Format("20060102"), 0, supplierCVR, 0, 0)
	for _, d := range dispositions {
		date, payer := d.day.Format(osDate), d.company.sender
		line("OS2%s%026d%s%s%s%s%s%013d", osTransferType, 0, date, payer.reg, payer.number, supplierCVR, d.company.cvr, 0)
		transfers := split(r, d.amountOre)
		for _, ore := range transfers {
			count++
			payee := d.company.receiver
			line("OS5%s%s%s%012d%s%s%s%-20s%013d%044d", osTransferType, payee.reg, payee.number, ore, date,
				payer.reg, payer.number, text, count, 0)
		}
		line("OS8%s%04d%010d%012d%s%s%s%s%s%013d", osTransferType, 0, len(transfers), d.amountOre, date,
			payer.reg, payer.number, supplierCVR, d.company.cvr, 0)
		amountOre += d.amountOre
	}
	line("OS929%04d%010d%012d%06d%s%s%021d", 0, count, amountOre, 0, strings.Repeat("9", 14), supplierCVR, 0)

	encoded, err := charmap.ISO8859_1.NewEncoder().String(file.String())
	return []byte(encoded), err
}

// split splits an amount into a few positive amounts that add up to it.
func split(r *rand.Rand, ore int64) []int64 {
	var parts []int64
	for left := 1 + r.Int64N(osTransfersMost); left > 1; left-- {
		part := ore / left * (70 + r.Int64N(61)) / 100
		parts = append(parts, part)
		ore -= part
	}
	return append(parts, ore)
}

// withoutBack removes the dispositions whose money goes back to customers, because the
// os layout's amounts have no sign.
func withoutBack(dispositions []disposition) []disposition {
	var kept []disposition
	for _, d := range dispositions {
		if d.amountOre > 0 {
			kept = append(kept, d)
		}
	}
	return kept
}
