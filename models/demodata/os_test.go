package demodata

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// osLines returns the lines of an os delivery as bytes, without line ends.
func osLines(t *testing.T, path string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(string(content(t, path)), "\r\n"), "\r\n")
}

// osRecords reads the OS8 lines of an os delivery, with the contract's widths.
func osRecords(t *testing.T, path string) []record {
	t.Helper()
	var all []record
	for _, line := range osLines(t, path) {
		if !strings.HasPrefix(line, "OS8") {
			continue
		}
		day, err := time.Parse("020106", line[31:37])
		require.NoError(t, err)
		all = append(all, record{
			transferType: line[3:5], count: int(number(t, line[9:19])), amountDkk: kroner(number(t, line[19:31])),
			day: day, regNumber: line[37:41], accountNumber: line[41:51], cvr: line[59:67],
		})
	}
	return all
}

func number(t *testing.T, digits string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(digits, 10, 64)
	require.NoError(t, err)
	return n
}

// Every os delivery starts with OS1, ends with OS9, and has sections of one OS2, one to
// four OS5 and one OS8. Every line has the contract's width. The OS8 matches its section
// in type, date, account, companies, count and amount, and the OS9 matches the sections.
func TestOSDeliveriesAgree(t *testing.T) {
	set := written(t, lastDays[0])
	seen := 0
	for _, path := range set.Deliveries {
		if filepath.Ext(path) != ".os" {
			continue
		}
		seen++
		lines := osLines(t, path)
		first, last := lines[0], lines[len(lines)-1]
		require.Len(t, first, 80)
		require.Equal(t, "OS121", first[:5])
		require.Equal(t, supplierCVR, first[51:59])
		require.Len(t, last, 80)
		require.Equal(t, "OS929", last[:5])
		require.Equal(t, "99999999999999", last[37:51])
		require.Equal(t, supplierCVR, last[51:59])

		var start string
		var count, amount, totalCount, totalAmount int64
		for _, line := range lines[1 : len(lines)-1] {
			switch line[:3] {
			case "OS2":
				require.Len(t, line, 80)
				require.Empty(t, start, "a section in a section")
				start, count, amount = line, 0, 0
			case "OS5":
				require.Len(t, line, 128)
				require.Equal(t, start[3:5], line[3:5], "type")
				require.Equal(t, start[31:37], line[31:37], "date")
				require.Equal(t, start[37:51], line[37:51], "payer's account")
				require.Regexp(t, `^[0-9]{14}$`, line[5:19], "payee's account")
				require.Positive(t, number(t, line[19:31]))
				count++
				amount += number(t, line[19:31])
			case "OS8":
				require.Len(t, line, 80)
				require.Equal(t, start[3:5], line[3:5], "type")
				require.Equal(t, start[31:67], line[31:67], "date, account, supplier and payer")
				require.Equal(t, supplierCVR, line[51:59])
				require.Equal(t, count, number(t, line[9:19]))
				require.Equal(t, amount, number(t, line[19:31]))
				require.LessOrEqual(t, count, int64(osTransfersMost))
				totalCount += count
				totalAmount += amount
				start = ""
			default:
				require.Fail(t, "unknown record", line)
			}
		}
		require.Empty(t, start, "a section without an end")
		require.Equal(t, totalCount, number(t, last[9:19]))
		require.Equal(t, totalAmount, number(t, last[19:31]))
	}
	require.Equal(t, osWeekCount, seen)
}

// An os delivery is ISO-8859-1: a Danish letter is one byte.
func TestOSDeliveriesAreLatin1(t *testing.T) {
	set := written(t, lastDays[0])
	file := content(t, set.Deliveries[len(set.Deliveries)-1])
	require.True(t, bytes.HasPrefix(file, []byte("OS121DEMO-NETV\xc6RKET")))
	require.Contains(t, string(file), "Kortoms\xe6tning uge 47")
}

// An amount is split into positive parts that add up to it.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		ore := 100 + r.Int64N(100_000_000)
		var sum int64
		for _, part := range split(r, ore) {
			require.Positive(t, part)
			sum += part
		}
		require.Equal(t, ore, sum)
	}
}
