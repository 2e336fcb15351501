package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/web"
)

const (
	foundShown    = 10  // of each kind
	longestSearch = 200 // characters
)

// search finds what somebody typed into the field in the head.
func search(r *site.Request) error {
	text := strings.TrimSpace(r.ShownQuery("q"))
	view := web.SearchView{Frame: r.Frame, HasKey: models.HasKey(text)}
	view.Frame.Search = text
	if view.HasKey {
		listed, err := keys.List(r.Context(), r.Tenant())
		if err != nil {
			return err
		}
		for _, k := range listed { // the secret is masked, the look-up id is not
			if strings.Contains(text, "_"+k.LookupID+"_") {
				view.KeyID = k.ID.String()
			}
		}
	}
	switch {
	case text == "":
		return r.Show(web.SearchPage(view))
	case utf8.RuneCountInString(text) > longestSearch:
		view.Problem = r.T("Type at most {n} characters.", "n", longestSearch)
	case !view.HasKey:
		if err := fillSearch(r, &view, text); err != nil {
			return err
		}
		return r.Show(web.SearchPage(view))
	}
	return r.ShowInvalid(web.SearchPage(view))
}

// fillSearch fills the view with what the organization has that fits the text.
func fillSearch(r *site.Request, view *web.SearchView, text string) (err error) {
	ctx, tenant := r.Context(), r.Tenant()
	filterOf := func(text string, names ...string) (ledger.TransactionFilter, web.Ledger) {
		values := url.Values{}
		for _, name := range names {
			values.Set(name, text)
		}
		filter, form := transactionFilter(r.Frame, values.Get)
		return filter, web.Ledger{Path: "/transactions", Filter: form, Linked: true}
	}
	onDay, day := filterOf(text, "from", "to")
	ofAmount, amounts := filterOf(text, "amount")
	if least := ofAmount.AmountFrom; least != "" && !ofAmount.Unsigned && least[0] != '-' &&
		amountRange.FindStringSubmatch(text) == nil { // without a sign
		ofAmount, amounts = filterOf("±"+text, "amount")
	}

	var companies ledger.CompanyMatches
	if !day.Filter.Valid() && !(amounts.Filter.Valid() && strings.ContainsAny(text, ".,")) { // 1234.5 does not begin a CVR
		if companies, err = ledger.FindCompanies(ctx, tenant, ledger.CompanySearch{Text: text},
			ledger.Cursor{Limit: foundShown}); err != nil {
			return err
		}
		view.MoreCompanies = companies.Next != nil
	}
	shown := companies.Items
	account := ledger.ParseAccount(text)
	if !day.Filter.Valid() && len(account.Numbers) > 0 {
		page, err := ledger.Items(ctx, tenant, ledger.TransactionFilter{Account: account},
			ledger.ItemCursor{Limit: foundShown})
		if err != nil {
			return err
		}
		if len(page.Items) > 0 {
			view.Account = web.Ledger{Path: "/transactions", Linked: true, From: 1, To: int64(len(page.Items))}
			fillLedger(&view.Account, page)
		}
		found, err := ledger.CompaniesOfAccount(ctx, tenant, account, foundShown)
		if err != nil {
			return err
		}
		for _, company := range found {
			if !slices.ContainsFunc(shown, func(c models.Company) bool { return c.ID == company.ID }) {
				shown = append(shown, company)
			}
		}
	}
	view.Companies = companyRows(shown)
	if day.Filter.Valid() {
		page, err := ledger.Items(ctx, tenant, onDay, ledger.ItemCursor{Limit: foundShown})
		if err != nil {
			return err
		}
		fillLedger(&day, page)
		day.From, day.To = 1, int64(len(page.Items))
		if day.Withdrawals, err = withdrawals(r, tenant, "", onDay.From, onDay.To); err != nil {
			return err
		}
		view.Day = day
	}
	if _, cvr := ledger.ParseCVR(text); amounts.Filter.Valid() && !(cvr && len(companies.Items) > 0) {
		page, err := ledger.Items(ctx, tenant, ofAmount, ledger.ItemCursor{Limit: foundShown})
		if err != nil {
			return err
		}
		fillLedger(&amounts, page)
		amounts.FromInstead = fromInstead(ofAmount)
		amounts.From, amounts.To = 1, int64(len(page.Items))
		view.Amounts = amounts
	}
	_, hint, _ := strings.Cut(text, "…") // pages show keys as dispo_…abcd
	found, err := keys.Search(ctx, tenant, cmp.Or(hint, text), foundShown)
	for _, key := range found {
		view.Keys = append(view.Keys, keyRow(keys.Detail{Key: key}))
	}
	if err != nil {
		return err
	}
	deliveries, more, err := ledger.SearchArrivals(ctx, tenant, text, foundShown)
	for _, delivery := range deliveries {
		view.Deliveries = append(view.Deliveries, deliveryRow(delivery))
	}
	view.MoreDeliveries = more
	if err != nil || day.Filter.Valid() || amounts.Filter.Valid() {
		return err
	}
	members, err := accounts.Members(ctx, tenant)
	for _, member := range members {
		if strings.Contains(member.Email, strings.ToLower(text)) && len(view.Members) < foundShown {
			view.Members = append(view.Members, web.MemberRow{Email: member.Email, Role: member.Role})
		}
	}
	return err
}
