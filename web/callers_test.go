package web

import (
	"strings"
	"testing"
)

// A key's callers are listed with client, address and requests. Those whose latest
// request was refused are marked. Texts, numbers and times follow the reader's language.
func TestKeyCallers(t *testing.T) {
	f := frame("")
	f.Locale = Danish
	text := rendered(t, inPage(f, keyCallers(f, []CallerView{ledgerMoved.CallerView, refusedCaller.CallerView, otherCallers.CallerView})))
	rows := strings.Split(text, "<tr>")[2:]
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range []struct {
		texts   []string
		refused bool
	}{
		{[]string{"axios/1.7.2", "203.0.113.7", "18.214", "12 afvist", "20.11.2026 13.31"}, false},
		{[]string{"En klient uden navn", "10.0.0.7", "1.204", "3 afvist"}, true},
		{[]string{"Andre klienter", "Forskellige", "5.000"}, false},
	} {
		for _, part := range want.texts {
			if !strings.Contains(rows[i], part) {
				t.Errorf("row %d: no %q in %s", i, part, rows[i])
			}
		}
		if refused := strings.Contains(rows[i], "state bad"); refused != want.refused {
			t.Errorf("row %d: marked as refused: %t", i, refused)
		}
	}
	if text := rendered(t, keyCallers(f, nil)); !strings.Contains(text, "Ingen brug i de seneste 30 dage.") {
		t.Error(text)
	}
}
