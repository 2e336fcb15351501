package web

// Download is a file with everything that a page lists, over all of its pages. GET Path
// with format (a key of DownloadFormats) and Query answers 200 with the file.
type Download struct {
	Path     string // ends in /export
	Query    string // the page's filter as parameters; may be empty
	OneMonth bool   // the page lists a month
	Accounts bool   // the file has account numbers
	Log      bool   // for programs rather than for bookkeeping
}

func (d Download) formats() []string {
	if d.Log {
		return []string{"xlsx", "csv", "jsonl"}
	}
	return []string{"xlsx", "csv-da", "csv"}
}

// link returns the address of the file in a format.
func (d Download) link(format string) string {
	link := d.Path + "?format=" + format
	if d.Query != "" {
		link += "&" + d.Query
	}
	return link
}

// DownloadFormats are the names of the files' formats, in English.
var DownloadFormats = map[string]string{
	"xlsx":   "Excel (XLSX)",
	"csv-da": "CSV for e-conomic",
	"csv":    "CSV for programs, as in the API",
	"jsonl":  "JSON Lines for programs",
}
