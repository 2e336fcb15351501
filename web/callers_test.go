package web

import (
	"strings"
	"testing"
)

// A key's callers are listed with client, address and requests. Those whose latest
// request was refused are marked, and numbers follow the reader's language.
func TestKeyCallers(t *testing.T) {
	f := frame("")
	f.Locale = Danish
	text := rendered(t, keyCallers(f, []CallerView{ledgerMoved.CallerView, refusedCaller.CallerView, otherCallers.CallerView}))
	rows := strings.Split(text, "<tr>")[2:]
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range []struct {
		texts   []string
		refused bool
	}{
		{[]string{"axios/1.7.2", "203.0.113.7", "18.214", "12 refused", "2026-11-20 12:31 UTC"}, false},
		{[]string{"An unnamed client", "10.0.0.7", "1.204", "3 refused"}, true},
		{[]string{"Other callers", "Various", "5.000"}, false},
	} {
		for _, part := range want.texts {
			if !strings.Contains(rows[i], part) {
				t.Errorf("row %d: no %q in %s", i, part, rows[i])
			}
		}
		if refused := strings.Contains(rows[i], "Refused"); refused != want.refused {
			t.Errorf("row %d: marked as refused: %t", i, refused)
		}
	}
	if text := rendered(t, keyCallers(f, nil)); !strings.Contains(text, "No callers in the last 30 days.") {
		t.Error(text)
	}
}
