package ledger

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
)

// CompanyOrder is an order of companies.
type CompanyOrder string

const (
	CompaniesByName     CompanyOrder = "name" // as in Danish, whatever the case
	CompaniesByNameDown CompanyOrder = "-name"
	CompaniesByCVR      CompanyOrder = "cvr"
	CompaniesByCVRDown  CompanyOrder = "-cvr"
)

// CompanyOrders are the orders other than that of arrival. Each has an index.
var CompanyOrders = []CompanyOrder{CompaniesByName, CompaniesByNameDown, CompaniesByCVR, CompaniesByCVRDown}

// columns returns what the order compares, the id last, and whether it descends.
func (o CompanyOrder) columns() (columns string, descends bool) {
	switch o {
	case "":
		return "companies.id", false
	case CompaniesByCVR, CompaniesByCVRDown:
		return "companies.cvr, companies.id", o == CompaniesByCVRDown
	}
	return "companies.sort_key, companies.id", o == CompaniesByNameDown
}

// by returns ORDER BY's text for columns.
func by(columns string, descends bool) string {
	if descends {
		return strings.ReplaceAll(columns, ", ", " DESC, ") + " DESC"
	}
	return columns
}

// readSorted returns a page of the companies that a search finds, in its order: of
// those with the ids, if there are any ids, or of all. The cursor is a company's id.
func readSorted(
	ctx context.Context, t models.Tenant, wanted CompanySearch, ids []uuid.UUID, cursor Cursor, total int64,
) (CompanyMatches, error) {
	matches := CompanyMatches{Found: total}
	query := visible(wanted.restrict(t.DB(ctx).Model(&models.Company{})), "companies.id")
	switch {
	case ids != nil && len(ids) == 0:
		return CompanyMatches{}, nil
	case ids != nil:
		matches.Found = int64(len(ids))
		query = t.DB(ctx).Model(&models.Company{}).Where("companies.id IN ?", ids)
	case !wanted.all():
		if err := wanted.restrict(t.DB(ctx).Model(&models.Company{})).Count(&matches.Found).Error; err != nil {
			return CompanyMatches{}, err
		}
	}
	columns, descends := wanted.Order.columns()
	edge, forward := edgeOf(cursor)
	if edge != uuid.Nil || !forward {
		onward, from := ">", any(edge)
		if forward == descends {
			onward = "<"
		}
		if wanted.Order != "" { // a company that is gone leads to an empty page
			from = t.DB(ctx).Model(&models.Company{}).Select(columns).Where("companies.id = ?", edge)
		}
		query = query.Where("("+columns+") "+onward+" (?)", from)
	}
	found, err := models.Find[models.Company](
		query.Clauses(database.Columns(companyColumns)).Order(by(columns, forward == descends)).Limit(cursor.Limit + 1),
	)
	if err != nil {
		return CompanyMatches{}, err
	}
	matches.Items = found[:min(len(found), cursor.Limit)]
	ahead, behind := len(found) > cursor.Limit, edge != uuid.Nil
	if !forward {
		slices.Reverse(matches.Items)
		ahead, behind = behind, ahead
	}
	previous, next := matches.neighbours()
	if len(matches.Items) == 0 && wanted.Order != "" {
		return matches, nil
	}
	if behind {
		matches.Previous = previous
	}
	if ahead {
		matches.Next = next
	}
	return matches, nil
}
