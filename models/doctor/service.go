package doctor

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"dispo/models"
	"dispo/models/database"
)

func (d *doctor) redis(ctx context.Context, f *findings) error {
	if d.Redis == nil {
		return nil
	}
	began := time.Now()
	address, clock, err := d.Redis(ctx)
	if err != nil {
		f.fail(
			"See whether it runs and can be written to, and whether REDIS_URL is right. Until then each instance counts on its own.",
			"Redis at %s cannot be used: %v.",
			address,
			err,
		)
		return nil
	}
	f.compare("Redis at "+address, clock, began)
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

// madeUp is an address that nobody has (RFC 5737).
const madeUp = "192.0.2.123"

// public asks the service for its health at its public URL, through whatever stands there, and
// pretends to have another address.
func (d *doctor) public(ctx context.Context, f *findings) error {
	base, id := strings.TrimSuffix(d.PublicURL.String(), "/"), rand.Text()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/health", nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-Forwarded-For", madeUp)
	if len(d.Secret) > 0 {
		request.Header.Set(models.HeaderDoctor, d.Secret.Ticket(models.PurposeDoctor, id, time.Minute))
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // without following redirects
	if err != nil && !d.PublicSet {
		f.warn(
			"Start it, or run doctor with its DISPO_LISTEN.",
			"No service answers at %s: %v.",
			base,
			database.RootCause(err),
		)
		return nil
	}
	if err != nil {
		f.fail(
			"See whether the service and its proxy run, and whether DISPO_PUBLIC_URL, DNS and the certificate are right.",
			"%s does not answer: %v.",
			base,
			database.RootCause(err),
		)
		return nil
	}
	defer answer.Body.Close()
	text, _ := d.Secret.OpenTicket(models.PurposeDoctorAnswer, answer.Header.Get(models.HeaderDoctor))
	seen := append(strings.SplitN(text, " ", 4), "", "", "", "")
	peer, address, forwarded := seen[1], seen[2], seen[3]
	proxied := d.PublicURL.Scheme == "https" || forwarded != madeUp
	switch {
	case answer.StatusCode != http.StatusOK:
		f.fail("See the logs of the service and its proxy.", "%s/api/health answers with status %d.", base, answer.StatusCode)
	case len(d.Secret) == 0:
		f.warn("Run doctor with the service's DISPO_SECRET.", "%s is healthy; whether it is this service is not known.", base)
	case seen[0] != id:
		f.fail(
			"See where the proxy leads to, and whether every instance has this DISPO_SECRET.",
			"%s is healthy, but not a service with this DISPO_SECRET.",
			base,
		)
	case proxied && address == peer:
		f.warn(
			"Name the proxy in DISPO_TRUSTED_PROXIES, and let it add the caller's address to X-Forwarded-For.",
			"All callers through the proxy count as one, with the address %s.",
			peer,
		)
	case proxied && address == madeUp && d.trusts(forwarded):
		f.warn(
			"Run doctor on another machine, too.",
			"%s is this service; whether callers can pretend to have any address cannot be seen from a trusted proxy.",
			base,
		)
	case proxied && address == madeUp:
		f.fail("Let the proxy add the caller's address to X-Forwarded-For, and name proxies alone in DISPO_TRUSTED_PROXIES.",
			"Callers can pretend to have any address: the service believed a made-up X-Forwarded-For.")
	default:
		f.ok("%s is this service, which saw us at %s", base, address)
	}
	return nil
}

// trusts reports whether this machine, as the proxy has seen it, is a trusted proxy.
func (d *doctor) trusts(forwarded string) bool {
	own, err := netip.ParseAddr(strings.TrimSpace(forwarded[strings.LastIndexByte(forwarded, ',')+1:]))
	return err == nil && slices.ContainsFunc(d.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(own) })
}
