package ledger

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
)

// CompanySearch says which companies to find: those whose CVR begins with Text, as
// CVRDigits reads it, or whose name contains it, and which have the status. Either may be
// empty.
type CompanySearch struct {
	Text   string
	Status string       // one of terms.Statuses, or empty
	Order  CompanyOrder // empty for the order of arrival
}

func (s CompanySearch) all() bool { return s.Text == "" && s.Status == "" }

// cvr returns what a CVR that is searched for begins with. For text that cannot be a CVR
// it is the text, which no CVR begins with.
func (s CompanySearch) cvr() string { return cmp.Or(CVRDigits(s.Text), s.Text) }

// folded returns what a name that is searched for contains once it is folded.
func (s CompanySearch) folded() string { return i18n.Fold(s.Text) }

// CompanyMatches is a page of the companies that a search finds.
type CompanyMatches struct {
	Items []models.Company
	Total int64 // companies of the organization, whatever the search
	Found int64 // companies that the search finds
	More  bool  // it may find more than Found
	// The companies are in order of arrival, because too many were found to sort them.
	Unsorted bool
	// The neighbouring pages begin after and end before these ids, which need not be
	// those of items. They are nil where there is no such page.
	Next, Previous *uuid.UUID
}

// A page of a search reads a bounded number of companies, however many there are. In an
// organization of searchWhole companies, it may read all of them. In a larger one, it
// looks for frequent matches among the next searchNear companies, and else lets the
// index find up to searchFound. If there are more of them, or if the text is too short
// for the index, it looks at the next searchFar companies. A page may then have room
// left although the list goes on.
const (
	searchWhole = 10_000
	searchNear  = 2_000
	searchFar   = 20_000
	searchFound = 1_000
	searchChars = 3 // that the index needs
)

// fits returns the search as a condition.
func (s CompanySearch) fits() (condition string, arguments []any) {
	condition = "(? = '' OR strpos(companies.folded_name, ?) > 0 OR starts_with(companies.cvr, ?)) AND ? IN ('', companies.status)"
	return condition, []any{s.Text, s.folded(), s.cvr(), s.Status}
}

func (s CompanySearch) restrict(query *gorm.DB) *gorm.DB {
	if s.all() {
		return query
	}
	condition, arguments := s.fits()
	return query.Where(condition, arguments...)
}

// FindCompanies returns a page of the companies that a search finds, in its order.
func FindCompanies(ctx context.Context, t models.Tenant, wanted CompanySearch, cursor Cursor) (CompanyMatches, error) {
	var total int64
	if err := t.DB(ctx).Model(&models.Organization{}).Select("company_count").Take(&total).Error; err != nil {
		return CompanyMatches{}, models.Wrap(err)
	}
	matches, err := companyMatches(ctx, t, wanted, cursor, total)
	matches.Total, matches.Unsorted = total, matches.More && wanted.Order != ""
	return matches, models.Wrap(err)
}

func companyMatches(
	ctx context.Context, t models.Tenant, wanted CompanySearch, cursor Cursor, total int64,
) (CompanyMatches, error) {
	whole := wanted.all() || total <= searchWhole
	switch {
	case whole:
		return readSorted(ctx, t, wanted, nil, cursor, total)
	case wanted.Order != "":
		ids, err := searchIndex(ctx, t, wanted)
		if err != nil || ids != nil && len(ids) <= searchFound {
			return readSorted(ctx, t, wanted, ids, cursor, total)
		}
	}
	matches, full, err := readWindow(ctx, t, wanted, cursor, searchNear)
	if err != nil || full {
		return matches, err
	}
	found := int64(0)
	ids, err := searchIndex(ctx, t, wanted)
	switch {
	case err != nil:
		return CompanyMatches{}, err
	case ids != nil && len(ids) <= searchFound:
		return readSorted(ctx, t, wanted, ids, cursor, total)
	case ids != nil:
		found = searchFound
	}
	matches, _, err = readWindow(ctx, t, wanted, cursor, searchFar)
	matches.Found = max(matches.Found, found)
	return matches, err
}

// searchIndex lets the index find companies, at most one more than searchFound. It
// returns nil if the text is too short for the index.
func searchIndex(ctx context.Context, t models.Tenant, wanted CompanySearch) ([]uuid.UUID, error) {
	text := wanted.folded()
	if text != "" && utf8.RuneCountInString(text) < searchChars {
		return nil, nil
	}
	ids := []uuid.UUID{}
	// It crosses no organizations: the function returns the connection's own only.
	query := t.DB(ctx).Raw("SELECT company_matches(?, ?, ?)", text, wanted.Status, searchFound+1)
	if cvr := wanted.cvr(); cvr != wanted.Text {
		matches := t.DB(ctx).Raw("SELECT company_matches(?, ?, ?) UNION SELECT company_matches(?, ?, ?)",
			text, wanted.Status, searchFound+1, cvr, wanted.Status, searchFound+1)
		query = wanted.restrict(t.DB(ctx).Model(&models.Company{})).Select("companies.id").
			Where("companies.id IN (?)", matches).Limit(searchFound + 1)
	}
	err := query.Scan(&ids).Error
	return ids, err
}

// neighbours returns the cursors of the neighbouring pages. Those of a page without items,
// which lies beyond either end of the list, are the last or the first page.
func (m *CompanyMatches) neighbours() (previous, next *uuid.UUID) {
	if len(m.Items) == 0 {
		return new(uuid.Max), new(uuid.Nil)
	}
	return new(m.Items[0].ID), new(m.Items[len(m.Items)-1].ID)
}

// windowRow is a company among those that searchWindow looks at.
type windowRow struct {
	models.Company
	Fits bool
	Last bool // of the window, if the window is full
}

// readWindow looks at the next companies from the cursor on, or back, at most as many
// as size. It reports whether it found a full page.
func readWindow(
	ctx context.Context, t models.Tenant, wanted CompanySearch, cursor Cursor, size int,
) (matches CompanyMatches, full bool, err error) {
	edge, forward := edgeOf(cursor)
	onward, order := "companies.id > ?", "companies.id"
	if !forward {
		onward, order = "companies.id < ?", "companies.id DESC"
	}
	window := visible(t.DB(ctx).Model(&models.Company{}), "companies.id").Where(onward, edge).Order(order).Limit(size).
		Clauses(database.Columns("companies.*, row_number() OVER (ORDER BY " + order + ") AS place"))
	condition, arguments := wanted.fits()
	query := t.DB(ctx).Table("(?) AS companies", window).Where("("+condition+") OR place = ?", append(arguments, size)...).
		Select(companyColumns+", ("+condition+") AS fits, place = ? AS last", append(arguments, size)...).Order(order).
		Limit(cursor.Limit + 1)
	rows, err := models.Find[windowRow](query)
	if err != nil {
		return CompanyMatches{}, false, err
	}
	var beyond *uuid.UUID // where the list may go on
	for _, row := range rows {
		if row.Fits && len(matches.Items) == cursor.Limit {
			last := matches.Items[cursor.Limit-1].ID
			full, beyond = true, &last
			break
		}
		if row.Fits {
			matches.Items = append(matches.Items, row.Company)
		}
		if row.Last {
			full = len(matches.Items) == cursor.Limit
			beyond = &row.ID
		}
	}
	matches.Found, matches.More = int64(len(matches.Items)), true
	if !forward {
		slices.Reverse(matches.Items)
	}
	matches.Previous, matches.Next = matches.neighbours()
	if len(matches.Items) == 0 && beyond != nil { // nothing between the cursor and the window's end
		matches.Next, matches.Previous = beyond, beyond
	}
	switch {
	case !forward:
		matches.Previous = beyond
	case edge == uuid.Nil:
		matches.Next, matches.Previous = beyond, nil
	default:
		matches.Next = beyond
	}
	return matches, full, nil
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

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
		query.Clauses(database.Columns(companyColumns)).Order(by(columns, forward == descends)).Limit(cursor.Limit + 1))
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

// ParseCVR returns the 8 digits of a CVR as people write it: with the country's letters
// before it, or with spaces between its digits, as in DK94379792 and 94 37 97 92.
func ParseCVR(text string) (string, bool) {
	digits := CVRDigits(text)
	return digits, len(digits) == 8
}

// CVRDigits returns the digits of text that may be a CVR or its beginning. It is empty
// for any other text.
func CVRDigits(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 2 && strings.EqualFold(text[:2], "DK") {
		text = text[2:]
	}
	digits := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "-", "", ".", "").Replace(text)
	if len(digits) > 8 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}
