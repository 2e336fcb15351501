package demodata

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	// weekCount is the number of deliveries, about eighteen months.
	weekCount = 78
	// osWeekCount is how many of the newest deliveries have the os layout.
	osWeekCount = 8
)

var deliveryHeader = []string{
	"cvr", "regNumber", "accountNumber", "transferType", "dispositionDate", "count", "amountDkk",
}

// writeDeliveries writes a file for each week. It returns the files' paths and the
// number of records of each company.
func writeDeliveries(dir string, weeks [][]time.Time, companies []*company) ([]string, map[*company]int, error) {
	r := rand.New(rand.NewPCG(seed, streamDeliveries))
	tally := make(map[*company]int)
	var paths []string
	for i, week := range weeks {
		day := deliveryDay(week).Format(time.DateOnly)
		dispositions := disposeWeek(r, week, companies)
		var name string
		var content []byte
		var err error
		if i < len(weeks)-osWeekCount {
			name = "dispositions-" + day + ".csv"
			content, err = csvDelivery(dispositions)
		} else {
			name = "delivery-" + day + ".os"
			dispositions = withoutBack(dispositions)
			content, err = osDelivery(r, deliveryDay(week), dispositions)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("make %s: %w", name, err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return nil, nil, err
		}
		paths = append(paths, path)
		for _, d := range dispositions {
			tally[d.company]++
		}
	}
	return paths, tally, nil
}

// csvDelivery encodes a delivery in the csv layout.
func csvDelivery(dispositions []disposition) ([]byte, error) {
	var file bytes.Buffer
	rows := csv.NewWriter(&file)
	if err := rows.Write(deliveryHeader); err != nil {
		return nil, err
	}
	for _, d := range dispositions {
		err := rows.Write([]string{
			d.company.cvr, d.company.sender.reg, d.company.sender.number, d.transferType,
			d.day.Format(time.DateOnly), strconv.FormatInt(d.count, 10), kroner(d.amountOre),
		})
		if err != nil {
			return nil, err
		}
	}
	rows.Flush()
	return file.Bytes(), rows.Error()
}

// kroner formats an amount in øre as kroner with two decimals.
func kroner(ore int64) string {
	sign := ""
	if ore < 0 {
		sign, ore = "-", -ore
	}
	return fmt.Sprintf("%s%d.%02d", sign, ore/100, ore%100)
}
