package api_test

import (
	"fmt"
	"strings"
	"testing"
)

// On each list, limit is an integer from 1 to 100, or to 1,000 on the
// newer ones, and the cursors are UUIDs in their usual form, or dates on days. A parameter may appear once, and the two cursors not together. The
// message names the bad parameter and says what is expected.
func TestListParameters(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001")
	for list, most := range map[string]int{"/api/v1/companies": 100, "/api/v1/companies/10000001/transactions": 100, "/api/v1/transactions": 1000, "/api/v1/changes": 1000,
		"/api/v1/days": 1000, "/api/v1/companies/10000001/days": 1000} {
		const uuid, day = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "2026-01-31"
		id, kind, other := uuid, "a UUID such as", day
		if strings.HasSuffix(list, "/days") {
			id, kind, other = day, "a date such as", uuid
		}
		expected := fmt.Sprintf("integer from 1 to %d", most)
		for _, good := range []string{"", "?", "?limit=1", fmt.Sprintf("?limit=%d", most), "?limit=050", "?limit=%35", "?%6cimit=5", "?after=" + id, "?before=" + id,
			"?limit=1&before=" + id, "?after=" + strings.ToUpper(id)} {
			service.get(t, list+good, a.token).requireOK(t)
		}
		for _, value := range []string{"", "0", "00", fmt.Sprint(most + 1), "10000", "-1", "-0", "+5", "%2B5", "1.5", "1.0", "1,5", "1e2", "0x10", "1_0", "abc", "null",
			"%205", "5%20", "+5+", "5%00", "%D9%A1", "%EF%BC%91", "99999999999999999999", "18446744073709551617", "5%26limit=6", "%zz"} {
			bad := service.get(t, list+"?limit="+value, a.token)
			bad.requireError(t, 400, "BAD_REQUEST", "limit", expected)
		}
		service.get(t, list+"?limit", a.token).requireError(t, 400, "BAD_REQUEST", "limit", expected)
		service.get(t, list+"?%6cimit=0", a.token).requireError(t, 400, "BAD_REQUEST", "limit", expected)

		for _, cursor := range []string{"after", "before"} {
			for _, value := range []string{"", "1", "null", "first", other, "%7B" + id + "%7D", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""), id[1:], id + "0",
				"%20" + id[1:], id[:len(id)-1] + "g", strings.Replace(id, "-", "_", 1), "0190a1b2c-3d4-7e5f-8a6b-7c8d9e0f1a2b", id + "%00", id + "%20", "%27%20OR%201=1--"} {
				service.get(t, list+"?"+cursor+"="+value, a.token).requireError(t, 400, "BAD_REQUEST", cursor, kind)
			}
			service.get(t, list+"?"+cursor, a.token).requireError(t, 400, "BAD_REQUEST", cursor, kind)
		}

		for _, value := range []string{"", "1", "2026-1-31", "2026-02-30", "2026-13-01", "0000-01-01", "20260131", "2026-01-31T00:00:00Z", uuid, "%002026-01-31"} {
			path := list + "?dispositionDate=" + value
			if list != "/api/v1/transactions" {
				service.get(t, path, a.token).requireOK(t) // unknown there
				continue
			}
			service.get(t, path, a.token).requireError(t, 400, "BAD_REQUEST", "dispositionDate", "a date such as")
			service.get(t, list+"?dispositionDate=2026-01-31&dispositionDate=2026-01-31", a.token).
				requireError(t, 400, "BAD_REQUEST", "dispositionDate", "once")
		}

		for _, row := range []struct{ name, query string }{
			{"limit", "limit=5&limit=6"},
			{"limit", "limit=5&limit=5"},
			{"limit", "limit=&limit=5"},
			{"limit", "limit=5&x=1&%6cimit=5"},
			{"after", "after=" + id + "&after=" + id},
			{"after", "after=&after=" + id},
			{"before", "before=" + id + "&limit=5&before=" + id},
		} {
			service.get(t, list+"?"+row.query, a.token).requireError(t, 400, "BAD_REQUEST", row.name, "once")
		}

		service.get(t, list+"?after="+id+"&before="+id, a.token).
			requireError(t, 422, "VALIDATION_ERROR", "after", "before", "together")
		// Malformed parameters are reported before incompatible ones.
		for _, query := range []string{"after=" + id + "&before=", "after=1&before=" + id, "limit=0&after=" + id + "&before=" + id,
			"after=" + id + "&before=" + id + "&before=" + id} {
			service.get(t, list+"?"+query, a.token).requireError(t, 400, "BAD_REQUEST")
		}
	}
}
