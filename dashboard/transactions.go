package dashboard

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

func transactionList(r *site.Request) error {
	ledger, err := ledgerView(r, "/transactions", "")
	if err != nil {
		return err
	}
	return r.ShowAs(statusOf(ledger.Filter), web.TransactionsPage(web.TransactionsView{Frame: r.Frame, Ledger: ledger}))
}

func statusOf(filter web.TransactionFilter) int {
	if filter.Valid() {
		return fiber.StatusOK
	}
	return fiber.StatusUnprocessableEntity
}

// ledgerView reads the list of transactions that the address asks for: of one company, or of
// all if its CVR is empty.
func ledgerView(r *site.Request, path, cvr string) (web.Ledger, error) {
	filter, form := transactionFilter(r.Frame, func(name string) string {
		if name == "cvr" && cvr != "" {
			return ""
		}
		return r.Query(name)
	})
	view := web.Ledger{Path: path, Filter: form, OneCompany: cvr != "", FromInstead: fromInstead(filter)}
	if !form.Valid() {
		return view, nil
	}
	if cvr != "" {
		filter.CVR = cvr
	}
	cursor := ledger.ItemCursor{
		Limit:     pageSize,
		OlderThan: position(r.Query("older")),
		NewerThan: position(r.Query("newer")),
		Oldest:    r.Query("at") == "oldest",
	}
	page, err := ledger.Items(r.Context(), r.Tenant(), filter, cursor)
	if err != nil {
		return view, err
	}
	fillLedger(&view, page)
	link := func(name, value string) string { return addressOf(path, form.Values(), name, value) }
	view.Newest = link("", "")
	if n := len(page.Items); n > 0 {
		if page.Newer >= 0 {
			view.From, view.To = page.Newer+1, page.Newer+int64(n)
		}
		if page.HasNewer {
			view.Newer = link("newer", positionText(page.Items[0].Position()))
		}
		if page.HasOlder {
			view.Older, view.Oldest = link("older", positionText(page.Items[n-1].Position())), link("at", "oldest")
		}
	}
	// Beside a position, a company's page takes as many statements as a page may.
	if view.OneCompany && (cursor.OlderThan != nil || cursor.NewerThan != nil) {
		return view, nil
	}
	found, err := withdrawals(r, r.Tenant(), filter.CVR, filter.From, filter.To)
	from, to := shownDays(filter, page)
	for _, w := range found {
		if !w.SentAgain && (from == nil || w.Last >= apiDate(*from)) && (to == nil || w.First <= apiDate(*to)) {
			view.Withdrawals = append(view.Withdrawals, w)
		} else {
			view.OtherWithdrawals = append(view.OtherWithdrawals, w)
		}
	}
	return view, err
}

// withdrawals reads the last withdrawals of these days' transactions: of a company, or of all
// if cvr is empty.
func withdrawals(
	r *site.Request, tenant models.Tenant, cvr string, from, to *time.Time,
) (shown []web.Withdrawal, err error) {
	found, err := ledger.Withdrawals(r.Context(), tenant, cvr, from, to, withdrawalsShown)
	for _, w := range found {
		shown = append(shown, web.Withdrawal{
			ID: w.FileID.String(), Filename: w.Filename, At: w.WithdrawnAt, Reason: w.Reason,
			Count: w.Count, Amount: w.AmountDKK, First: apiDate(w.FirstDate), Last: apiDate(w.LastDate),
			SentAgain: w.SentAgain,
		})
	}
	return shown, err
}

// fillLedger shows what was read.
func fillLedger(view *web.Ledger, page ledger.ItemPage) {
	view.Types, view.Count, view.More, view.Amount = page.Types, page.Count, page.More, page.Amount
	view.Rows, view.Shown = transactionRows(page.Items), ledger.SumItems(page.Items)
	if page.Since != nil {
		view.Since = apiDate(*page.Since)
		view.Earlier = addressOf(view.Path, view.Filter.Values(), "to", page.Since.AddDate(0, 0, -1).Format(time.DateOnly))
	}
}

const withdrawalsShown = 100

// shownDays returns the filter's first and last day, or those of the page if the filter
// has neither. The first and the last page have no bound where nothing follows.
func shownDays(filter ledger.TransactionFilter, page ledger.ItemPage) (from, to *time.Time) {
	if filter.From != nil || filter.To != nil || len(page.Items) == 0 {
		return filter.From, filter.To
	}
	if page.HasOlder {
		from = &page.Items[len(page.Items)-1].DispositionDate
	}
	if page.HasNewer {
		to = &page.Items[0].DispositionDate
	}
	return from, to
}

// addressOf returns a path with parameters, and one more if it has a name.
func addressOf(path string, values url.Values, name, value string) string {
	if name != "" {
		values.Set(name, value)
	}
	return strings.TrimSuffix(path+"?"+values.Encode(), "?")
}

// position returns the place in a ledger that an address names, or nil if it names none.
func position(text string) *ledger.Position {
	day, id, _ := strings.Cut(text, ".")
	parsedDay, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil
	}
	parsedID, err := uuid.Parse(id)
	if err != nil {
		return nil
	}
	return &ledger.Position{Day: parsedDay, ID: parsedID}
}

func positionText(p ledger.Position) string {
	return apiDate(p.Day) + "." + p.ID.String()
}

func transactionRows(items []ledger.Item) (rows []web.TransactionRow) {
	for _, x := range items {
		rows = append(rows, web.TransactionRow{
			CVR:             x.CVR,
			CompanyName:     x.CompanyName,
			DispositionDate: apiDate(x.DispositionDate),
			TransferType:    x.TransferType,
			RegNumber:       x.RegNumber,
			AccountNumber:   x.AccountNumber,
			Count:           x.Count,
			AmountDKK:       x.AmountDKK,
			Filename:        x.Filename,
			DeliveryFileID:  x.DeliveryFileID.String(),
			RecordIndex:     x.RecordIndex,
			RawLine:         x.RawLine,
			ProcessedAt:     valueOf(x.ProcessedAt),
		})
	}
	return rows
}
