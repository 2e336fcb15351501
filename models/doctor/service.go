package doctor

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"dispo/models/database"
)

func (d *doctor) redis(ctx context.Context, f *findings) error {
	if d.Redis == nil {
		return nil
	}
	var address string
	if err := f.compare(func() (clock time.Time, whose string, err error) {
		address, clock, err = d.Redis(ctx)
		return clock, "Redis at " + address, err
	}); err != nil {
		f.fail("See whether it runs and can be written to, and whether REDIS_URL is right.",
			"Redis at %s cannot be used, so each instance counts on its own: %v.", address, err)
	}
	return nil
}

func (d *doctor) mailServer(ctx context.Context, f *findings) error {
	if d.Mail == nil {
		return nil
	}
	if err := d.Mail.SignIn(ctx); err != nil {
		f.fail("Correct DISPO_SMTP_URL, or see whether the mail server runs.", "%s cannot be used: %v.", d.Mail, err)
	} else {
		f.ok("%s accepts the sign-in", d.Mail)
	}
	return nil
}

// public asks the service for its health at its public URL, through its proxies.
func (d *doctor) public(ctx context.Context, f *findings) error {
	base := strings.TrimSuffix(d.PublicURL.String(), "/")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/health", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // without following redirects
	if err != nil && !d.PublicSet {
		f.warn("Start it, or run doctor with its DISPO_LISTEN.",
			"No service answers at %s: %v.", base, database.RootCause(err))
		return nil
	} else if err != nil {
		f.fail("See whether the service and its proxy run, and whether DISPO_PUBLIC_URL, DNS and the certificate are right.",
			"%s does not answer: %v.", base, database.RootCause(err))
		return nil
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1000))
	switch {
	case err != nil:
		f.fail("See the logs of the service and its proxy.", "%s/api/health breaks off its answer: %v.", base, err)
	case answer.StatusCode != http.StatusOK:
		f.fail("See the logs of the service and its proxy.", "%s/api/health answers with status %d.", base, answer.StatusCode)
	case string(body) != `{"status":"ok"}`:
		f.fail("See where the proxy leads to.", "What answers at %s is not Dispo.", base)
	default:
		f.ok("Dispo is healthy at %s", base)
	}
	return nil
}
