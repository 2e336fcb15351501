package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// newPair creates two organizations with companies and transactions: 10000001 is
// a's, 10000002 is in both, 10000003 is b's, and nobody has 10000009.
func newPair(t *testing.T, w *modelstest.World) (a, b tenant) {
	t.Helper()
	a, b = newTenant(t, w, "a"), newTenant(t, w, "b")
	importCompanies(t, w, a.Organization, []string{"cvr", "name"}, []string{"10000001", "Name by a"}, []string{"10000002", "Shared, by a"})
	importCompanies(t, w, b.Organization, []string{"cvr", "name"}, []string{"10000002", "Shared, by b"}, []string{"10000003", "Name by b"})
	for _, organization := range []models.Organization{a.Organization, b.Organization} {
		for _, cvr := range map[string][]string{"a": {"10000001", "10000002"}, "b": {"10000002", "10000003"}}[organization.Slug] {
			path := modelstest.File(t, "delivery-of-"+organization.Slug+".csv", modelstest.DeliveryCSV(cvr, 5))
			_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Organization: &organization})
			require.NoError(t, err)
		}
	}
	return a, b
}

// Another organization's company, and its transactions, get byte for byte the answer
// of a company that nobody has.
func TestForeignCompanyIsNotFound(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newPair(t, w)
	service := serve(t, w.Service, settings{})
	for _, row := range []struct {
		tenant
		foreign string
	}{{a, "10000003"}, {b, "10000001"}} {
		for _, path := range []string{"/api/v1/companies/%s", "/api/v1/companies/%s/transactions", "/api/v1/companies/%s/transactions?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff", "/api/v1/companies/%s/days"} {
			for _, method := range []string{"GET", "HEAD"} {
				foreign := service.send(t, method, fmt.Sprintf(path, row.foreign), withKey(row.token))
				nobodys := service.send(t, method, fmt.Sprintf(path, "10000009"), withKey(row.token))
				require.Equal(t, 404, foreign.status)
				require.Equal(t, 404, nobodys.status)
				require.Equal(t, strings.ReplaceAll(string(nobodys.body), "10000009", row.foreign), string(foreign.body))
				require.Equal(t, countValues(nobodys.header), countValues(foreign.header))
				require.Equal(t, nobodys.header.Get("Content-Length"), foreign.header.Get("Content-Length"))
			}
			foreign := service.get(t, fmt.Sprintf(path, row.foreign), row.token)
			foreign.requireError(t, 404, "COMPANY_NOT_FOUND", row.foreign)
		}
	}
}

func countValues(header http.Header) map[string]int {
	count := map[string]int{}
	for name, values := range header {
		count[name] = len(values)
	}
	return count
}

// If two organizations have the same company, each reads its own fields, ids, files
// and transactions, and none of the other's.
func TestSharedCompanyIsIsolated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newPair(t, w)
	service := serve(t, w.Service, settings{})
	for range 3 { // also over connections that last worked for the other organization
		seen := map[string]string{}
		for _, x := range []tenant{a, b} {
			for _, path := range keyPaths {
				got := service.get(t, strings.ReplaceAll(path, "10000001", "10000002"), x.token)
				got.requireOK(t)
				require.NotRegexp(t, map[string]string{"a": `by b|-of-b|10000003`, "b": `by a|-of-a|10000001`}[x.Slug], string(got.body))
				for _, id := range regexp.MustCompile(`"(id|cardNetworkDeliveryFileId)":"([^"]*)"`).FindAllStringSubmatch(string(got.body), -1) {
					if owner, ok := seen[id[2]]; ok {
						require.Equal(t, x.Slug, owner)
					}
					seen[id[2]] = x.Slug
				}
			}
			page := service.get(t, "/api/v1/companies/10000002/transactions", x.token).object(t)
			require.Len(t, page["data"], 5)
			require.EqualValues(t, "5", page["meta"].(object)["total"])
			companies := service.get(t, "/api/v1/companies", x.token).object(t)
			require.Len(t, companies["data"], 2)
			require.EqualValues(t, "2", companies["meta"].(object)["total"])
		}
	}
}

// An id of another organization or of another kind of row is a cursor like any other
// id. It is compared with the caller's own items and reveals nothing.
func TestForeignCursorRevealsNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newPair(t, w)
	service := serve(t, w.Service, settings{})
	ids := selectKeys(t, w, `SELECT id FROM companies UNION ALL SELECT id FROM transactions UNION ALL SELECT id FROM delivery_files
		UNION ALL SELECT id FROM organizations UNION ALL SELECT id FROM api_keys`)
	require.Len(t, ids, 4+20+4+2+2)
	for _, x := range []tenant{a, b} {
		for path, query := range map[string]string{
			keyPaths[0]: `SELECT id FROM companies WHERE organization_id = $1 ORDER BY id`,
			"/api/v1/changes": `SELECT change_id FROM (SELECT organization_id, change_id FROM companies UNION ALL SELECT organization_id, change_id FROM delivery_files) x
				WHERE organization_id = $1 ORDER BY change_id`,
			"/api/v1/transactions":                    `SELECT id FROM transactions WHERE organization_id = $1 ORDER BY id`,
			"/api/v1/companies/10000002/transactions": `SELECT id FROM transactions WHERE organization_id = $1 AND cvr = '10000002' ORDER BY id`,
		} {
			l := listTest{path: path, service: service, key: x.token}
			all := selectKeys(t, w, query, x.ID)
			for _, id := range ids {
				at, own := slices.BinarySearch(all, id)
				l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&before=%s", id)), all, max(0, at-2), at, 2)
				if own {
					at++
				}
				l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&after=%s", id)), all, at, min(at+2, len(all)), 2)
			}
		}
	}
}
