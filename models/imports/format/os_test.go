package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func osStart() string {
	return fmt.Sprintf("OS121%-14s%9s%-20s%3s%s%s%20s\n", "NETWORK", "000000001", "DELIVERY-1", "", "12345674", "0", "")
}

func osSectionStart() string {
	return fmt.Sprintf("OS2%s%26s%s%s%10s%s%s%13s\n", "01", "", "310126", "1234", "0012345678", "12345674", "10150817", "")
}

func osTransfer(ore string) string {
	return fmt.Sprintf("OS5%s%s%10s%s%s%s%10s%-20s%13s%44s\n", "01", "4321", "8765432109", zeros(12, ore), "310126",
		"1234", "0012345678", "TEXT", "1", "")
}

func osSectionEnd(count, ore string) string {
	return fmt.Sprintf("OS8%s%4s%s%s%s%s%10s%s%s%13s\n", "01", "", zeros(10, count), zeros(12, ore), "310126", "1234",
		"0012345678", "12345674", "10150817", "")
}

func osEnd(count, ore string) string {
	return fmt.Sprintf("OS929%4s%s%s%06d%s%s%021d\n", "", zeros(10, count), zeros(12, ore), 0, "99999999999999",
		"12345674", 0)
}

func zeros(width int, digits string) string {
	return strings.Repeat("0", width-len(digits)) + digits
}

// A line that is lost from an os delivery, stands in it twice, or in another place is
// noticed, wherever it is. Only whole sections may change places.
func TestOSLostLines(t *testing.T) {
	lines := strings.SplitAfter(
		osStart()+osSectionStart()+osTransfer("1000")+osTransfer("2000")+osSectionEnd("2", "3000")+osEnd("2", "3000"), "\n")
	lines = lines[:len(lines)-1]
	for i := range lines {
		for name, changed := range map[string][]string{
			"lost":    slices.Concat(lines[:i], lines[i+1:]),
			"doubled": slices.Concat(lines[:i+1], lines[i:]),
			"last":    slices.Concat(lines[:i], lines[i+1:], lines[i:i+1]),
		} {
			if slices.Equal(changed, lines) {
				continue
			}
			file := strings.Join(changed, "")
			_, bad, _ := readText(t, OS(), file)
			assert.NotEmpty(t, bad, "line %d %s", i+1, name)
		}
	}
}

// No reason shows a registration or account number, whatever character is garbled.
func TestOSReasonsShowNoBankNumbers(t *testing.T) {
	good := osStart() + osSectionStart() + osTransfer("1000") + osSectionEnd("1", "1000") + osEnd("1", "1000")
	good = strings.NewReplacer("1261234", "1268888", "0012345678", "0088888888", "014321", "018888", "8765432109", "8888888888").
		Replace(good)
	for at := range len(good) {
		for _, garbled := range []string{"7", "x", " "} {
			_, bad, _ := readText(t, OS(), good[:at]+garbled+good[at+1:])
			for _, line := range bad {
				assert.NotContains(t, line.Reason, "888")
			}
		}
	}
}

// transported puts a file between the lines of a file transfer.
func transported(file string) string { return "PBCNET00OS1 26013101\n" + file + "PBCNET90\n" }
