package dashboard

// Route is a row of the route table, for tests.
type Route struct {
	Method, Path string
	Public       bool // for people who are not signed in, too
	Managers     bool // for owners and admins only
	Confirmed    bool
	IfInUse      bool
	Unconfirmed  string
	ShowsSecret  bool
}

// RouteTable returns all pages and forms.
func RouteTable() (all []Route) {
	for _, r := range (&handler{}).routes() {
		all = append(all, Route{r.method, r.path, r.access == anyone, r.access == manager, r.confirmed, r.ifInUse, r.unconfirmed, r.showsSecret})
	}
	return all
}
