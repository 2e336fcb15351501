package web

// AbsentNamed is how many absent companies are named.
const AbsentNamed = 3

// AbsentCompanies are those that have nothing of a day on whose weekday they usually have
// transactions.
type AbsentCompanies struct {
	Day   ReceivedDay
	Count int64
	Usual string       // the sum of what is usual for each, decimal
	Named []CompanyRow // the largest
}
