package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
)

// The pages of a withdrawn delivery have each company's day once, 50 on a page, by day, the newest
// first, and CVR. Above the companies of a day, on each page, is what the delivery had of the whole
// day, and what is there now.
func TestWithdrawnDeliveryPages(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	var cvrs, records, expected []string
	for n := range 70 {
		cvrs = append(cvrs, fmt.Sprintf("1000%04d", n))
	}
	s.Companies(t, a, cvrs...)
	for _, day := range []string{"2026-02-03", "2026-02-02"} {
		for n, cvr := range cvrs {
			records = append(records, fmt.Sprintf("%s,1234,0012345678,CARD,%s,1,%d.00\n", cvr, day, n%5+1))
			expected = append(expected, fmt.Sprintf("%s %s %d.00 1", day, cvr, n%5+1))
		}
	}
	wrong := s.deliver(t, "wrong.csv", records...)
	s.withdraw(t, wrong, "The network sent it twice.")
	s.deliver(t, "right.csv", cvrs[0]+",1234,0012345678,CARD,2026-02-03,1,7.50\n")

	path := b.get("/deliveries").attr("a:contains('wrong.csv')", "href")
	var rows, days []string
	for next := path; next != ""; {
		page := b.get(next)
		require.LessOrEqual(t, page.count("tbody .mono"), 50)
		page.page.Find("tbody tr").Each(func(_ int, row *goquery.Selection) {
			cells := row.Find("td").Map(func(_ int, cell *goquery.Selection) string { return cell.Text() })
			if cvr := row.Find(".mono").Text(); cvr != "" {
				day, _, _ := strings.Cut(days[len(days)-1], " ")
				rows = append(rows, day+" "+cvr+" "+strings.Join(cells[:2], " "))
				return
			}
			days = append(days, row.Find("time").Text()+" "+strings.Join(cells, " "))
		})
		require.Equal(t, next != path, page.count("a[rel=prev]") == 1, next)
		next = page.attr("a[rel=next]", "href")
	}
	require.Equal(t, expected, rows)
	first, second := "2026-02-03 210.00 70 7.50 1", "2026-02-02 210.00 70 0.00 0"
	require.Equal(t, []string{first, first, second, second}, days)
	require.Contains(t, b.get(path+"?older=2026-02-02.99999999").text(), "This page is empty.")
	for _, wrong := range []string{"x", "2026-02-02", "2026-02-02.%00", "2026-02-02.%ff1", "9999999-01-01.1"} {
		page := b.get(path + "?older=" + wrong)
		require.Equal(t, http.StatusOK, page.StatusCode, wrong)
		require.Equal(t, 50, page.count("tbody .mono"), wrong)
	}
}
