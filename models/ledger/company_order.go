package ledger

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// CompanyOrder is an order of companies.
type CompanyOrder string

const (
	CompaniesByName     CompanyOrder = "name" // whatever the case
	CompaniesByNameDown CompanyOrder = "-name"
	CompaniesByCVR      CompanyOrder = "cvr"
	CompaniesByCVRDown  CompanyOrder = "-cvr"
)

// CompanyOrders are the orders other than that of arrival. Each has an index.
var CompanyOrders = []CompanyOrder{CompaniesByName, CompaniesByNameDown, CompaniesByCVR, CompaniesByCVRDown}

// key returns what the order compares before the id, and whether it descends.
func (o CompanyOrder) key() (key string, descends bool) {
	switch o {
	case CompaniesByCVR, CompaniesByCVRDown:
		return "companies.cvr", o == CompaniesByCVRDown
	}
	return "lower(companies.name)", o == CompaniesByNameDown
}

// searchSorted returns a page of the companies that a search finds, in its order: of
// those with the ids, if there are any ids, or of all. The cursor is a company's id.
func searchSorted(ctx context.Context, t models.Tenant, wanted CompanySearch, ids []uuid.UUID, cursor Cursor, total int64) (CompanyMatches, error) {
	matches := CompanyMatches{Found: total}
	rows := func() *gorm.DB { return wanted.restrict(t.Compose(ctx).Model(&models.Company{})) }
	switch {
	case ids != nil && len(ids) == 0:
		return CompanyMatches{}, nil
	case ids != nil:
		matches.Found = int64(len(ids))
		rows = func() *gorm.DB { return t.Compose(ctx).Model(&models.Company{}).Where("companies.id IN ?", ids) }
	case !wanted.all():
		if err := wanted.restrict(t.DB(ctx).Model(&models.Company{})).Count(&matches.Found).Error; err != nil {
			return CompanyMatches{}, err
		}
	}
	key, descends := wanted.Order.key()
	edge, forward := edgeOf(cursor)
	query := rows()
	if edge != uuid.Nil {
		onward := ">"
		if forward == descends {
			onward = "<"
		}
		// A company that is gone leads to an empty page.
		query = query.Where("("+key+", companies.id) "+onward+" (?)", t.Compose(ctx).Model(&models.Company{}).Select(key+", companies.id").Where("companies.id = ?", edge))
	}
	order := key + ", companies.id"
	if forward == descends {
		order = key + " DESC, companies.id DESC"
	}
	found, err := models.Read[models.Company](ctx, t, query.Clauses(database.Columns(companyColumns)).Order(order).Limit(cursor.Limit+1))
	if err != nil {
		return CompanyMatches{}, err
	}
	matches.Items = found[:min(len(found), cursor.Limit)]
	ahead, behind := len(found) > cursor.Limit, edge != uuid.Nil
	if forward {
		matches.neighbours(behind, ahead)
	} else {
		slices.Reverse(matches.Items)
		matches.neighbours(ahead, behind)
	}
	if len(matches.Items) == 0 {
		matches.Previous, matches.Next = nil, nil
	}
	return matches, nil
}
