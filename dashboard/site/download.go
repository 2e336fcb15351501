package site

import (
	"context"
	"io"

	"github.com/gofiber/fiber/v2"

	"dispo/api/download"
	"dispo/models"
)

var errDownloading = models.NewError(models.KindBusy,
	"You or others in your organization are downloading other files. Try again when one of them is done.")

// File is a file to download.
type File struct {
	ContentType, Disposition string
	Action                   string // for the audit log
	Subject                  string // the same
	Write                    func(context.Context, io.Writer) error
	Whole                    bool // it does not grow, so it is sent once it is whole
}

func (f File) setHeaders(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, f.ContentType)
	c.Set(fiber.HeaderContentDisposition, f.Disposition)
}

// SendFile answers with a file. It notes that in the audit log before it sends anything. The
// file is sent while it grows, if the client can tell a part of it from all. An error before
// the first row is answered with the error page.
func (r *Request) SendFile(f File) error {
	if r.Ctx.Method() == fiber.MethodHead {
		f.setHeaders(r.Ctx)
		return nil
	}
	r.later = func() error { return r.startFile(f) }
	return nil
}

func (r *Request) startFile(f File) error {
	tenant, log, exchange := r.Tenant(), r.Site.Log, r.Exchange()
	// Long enough for stalled downloads to be cut off.
	wait, cancel := context.WithTimeout(context.Background(), r.Site.Downloads.Patience*4/3)
	defer cancel()
	leave, ok := r.Site.downloads.enter(wait, *r.Session)
	if !ok {
		return errDownloading
	}
	file, err := r.Site.Downloads.Start(wait, r.Ctx.Context().Conn(),
		download.Job{Kind: download.Dashboard, Write: f.Write})
	if err != nil {
		leave()
		return err
	}
	size, err := file.Ready(f.Whole || !r.Ctx.Request().Header.IsHTTP11())
	if err == nil {
		noting, stopNoting := context.WithTimeout(context.Background(), r.Site.Timeout)
		defer stopNoting()
		err = tenant.NoteAlone(noting, f.Action, f.Subject)
	}
	if err != nil {
		_ = file.Close()
		leave()
		return err
	}
	file.Closed = func(sent int64, err error) {
		leave()
		if err != nil {
			log.Warn("export stopped", append(exchange.Attributes(), "error", err, "export", f.Action, "bytes", sent)...)
		}
		exchange.Sent(sent)
	}
	f.setHeaders(r.Ctx)
	exchange.Streams()
	r.Ctx.Context().SetBodyStream(file, size)
	return nil
}
