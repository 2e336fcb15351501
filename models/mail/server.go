// Package mail sends the mails in the outbox. It has their texts.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"

	"dispo/models"
)

const (
	dialTimeout = 10 * time.Second // until the server has greeted us and let us in
	// A server may take long to accept a mail's content. If we gave up before, we would
	// send it again: RFC 5321 section 4.5.3.2.6 asks for ten minutes.
	acceptTimeout = 10 * time.Minute
	stopTimeout   = 10 * time.Second // for the mail that is being sent when the service stops

	portSubmission  = 587 // RFC 6409
	portSubmissions = 465 // RFC 8314
)

// Server is the mail server that takes our mails.
type Server struct {
	host           string
	port           int
	user, password string // empty: it wants none
	security       security
	hello          string // the name that EHLO gives us; empty: the machine's
}

// security is how the connection is encrypted.
type security int

const (
	startTLS    security = iota // required
	implicitTLS                 // from the first byte
	noTLS                       // only to the same machine
)

// String names the server without its user and password.
func (s Server) String() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// GoString keeps the password out of dumps.
func (s Server) GoString() string { return s.String() }

// ParseServer parses the URL of a mail server: smtp:// requires STARTTLS, and smtps://
// speaks TLS from the start. smtp:// with ?tls=none, for a server on the same machine,
// encrypts nothing. Its errors complete a sentence and don't repeat the URL.
func ParseServer(text string) (Server, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" {
		return Server{}, errors.New(
			"is not a URL of a mail server: expected smtp://user:password@host:587 or smtps://user:password@host:465, with special characters of the password percent-encoded",
		)
	}
	s := Server{host: u.Hostname(), port: portSubmission, user: u.User.Username()}
	var withPassword bool
	s.password, withPassword = u.User.Password()
	if u.Scheme == "smtps" {
		s.port, s.security = portSubmissions, implicitTLS
	}
	if u.Port() != "" {
		if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
			return Server{}, errors.New("has a port that is not from 1 to 65535")
		}
	}
	switch {
	case u.Path != "" && u.Path != "/" || u.Fragment != "":
		return Server{}, errors.New("has more than a host and a port: percent-encode special characters of the password")
	case (s.user != "") != (withPassword && s.password != ""):
		return Server{}, errors.New("needs both a user and a password, or neither")
	case strings.ContainsAny(s.user+s.password, "\x00\r\n"):
		return Server{}, errors.New("has a line break in its user or password")
	}
	switch {
	case u.RawQuery == "":
		return s, nil
	case u.RawQuery != "tls=none":
		return Server{}, errors.New("has an unknown parameter: only ?tls=none is known")
	case s.security == implicitTLS:
		return Server{}, errors.New("has ?tls=none, which contradicts smtps://")
	case !loopback(s.host):
		return Server{}, errors.New(
			"has ?tls=none, which is only allowed for a server on the same machine, such as localhost")
	}
	s.security = noTLS
	return s, nil
}

// Introduce sets the name that we introduce ourselves with, because strict servers refuse a
// machine's bare one: the host of our URL if it is a domain name, else the sender's domain.
func (s *Server) Introduce(publicURL string, from Address) {
	s.hello = from.domain()
	if u, err := url.Parse(publicURL); err == nil && strings.Contains(u.Hostname(), ".") &&
		net.ParseIP(u.Hostname()) == nil {
		s.hello = u.Hostname()
	}
	if ascii, err := idna.Lookup.ToASCII(s.hello); err == nil {
		s.hello = ascii
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Address is the sender of our mails.
type Address netmail.Address

// UnmarshalText parses an address such as Dispo <dispo@example.com>.
func (a *Address) UnmarshalText(text []byte) error {
	parsed, err := netmail.ParseAddress(string(text))
	if err != nil || models.Invisible(string(text)) != "" {
		return errors.New("expected an address such as dispo@example.com or Dispo <dispo@example.com>")
	}
	*a = Address(*parsed)
	return nil
}

func (a Address) domain() string { return a.Address[strings.LastIndexByte(a.Address, '@')+1:] }

// outcome is how an attempt to send a mail ended.
type outcome string

const (
	sent  outcome = "sent"  // the server has taken it
	later outcome = "later" // it can be tried again
	never outcome = "never" // the server refuses this mail for good
)

// errServer marks that an attempt failed before the server heard of the mail, so the next
// mail would fail as well.
var errServer = errors.New("the mail server cannot be used")

// send sends a message. Its answer is the server's, in one line without the password.
// Only a refusal of the recipient or of the content is final: wrong credentials, for
// example, can be corrected.
func (s Server) send(ctx context.Context, message *mail.Msg) (how outcome, answer string, err error) {
	client, conn, err := s.dial(ctx)
	if err != nil {
		return later, s.answer(err), fmt.Errorf("%w: %s", errServer, s.answer(err))
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(stopTimeout, func() { _ = conn.Close() }) })
	defer stop()
	err = client.Send(message)
	s.leave(client, conn)
	if message.IsDelivered() { // also if the connection broke after that
		return sent, models.Storable(message.ServerResponse(), answerLength), nil
	}
	if err == nil {
		err = errors.New("the mail was not sent")
	}
	if failure, ok := errors.AsType[*mail.SendError](err); ok && aboutRecipient(failure) {
		return never, s.answer(err), err
	}
	return later, s.answer(err), err
}

// SignIn connects and signs in, and sends nothing. Its error is one line without the password.
func (s Server) SignIn(ctx context.Context) error {
	client, conn, err := s.dial(ctx)
	if err != nil {
		return errors.New(s.answer(err))
	}
	defer conn.Close()
	s.leave(client, conn)
	return nil
}

func (s Server) leave(client *mail.Client, conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(dialTimeout))
	_ = client.Close() // it answers nothing that matters now
}

// dial connects and signs in.
func (s Server) dial(ctx context.Context) (*mail.Client, net.Conn, error) {
	dialing, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	var conn net.Conn
	dialed := func() bool { return true } // reports whether dialing took no longer
	client, err := s.client(func(c net.Conn) {
		// The client's own deadlines are for the mail, and it closes nothing if they pass.
		conn, dialed = c, context.AfterFunc(dialing, func() { _ = c.Close() })
	})
	if err == nil {
		err = client.DialWithContext(dialing)
	}
	if !dialed() && ctx.Err() == nil {
		err = fmt.Errorf("the server did not complete the connection and sign-in within %v", dialTimeout)
	}
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		}
		if s.security == startTLS &&
			strings.Contains(err.Error(), "does not support STARTTLS") { // the library has no error of its own
			err = fmt.Errorf(
				"%w: use smtps:// if it speaks TLS from the start, or add ?tls=none to DISPO_SMTP_URL if it is on the same machine and needs none",
				err,
			)
		}
		return nil, nil, err
	}
	return client, conn, nil
}

// aboutRecipient reports whether a refusal is final, because there is no such mailbox.
// Others may be about our server, its quota or its rights, which the operator can correct.
func aboutRecipient(failure *mail.SendError) bool {
	code := failure.EnhancedStatusCode() // RFC 3463
	switch {
	case strings.HasPrefix(code, "5.1."), strings.HasPrefix(code, "5.2."):
		return true
	case code != "" && !strings.HasPrefix(code, "5.0."), failure.Reason != mail.ErrSMTPRcptTo:
		return false
	}
	return failure.ErrorCode() == 550 || failure.ErrorCode() == 551 || failure.ErrorCode() == 553
}

// client returns a client that reports the connection that it dials.
func (s Server) client(dialed func(net.Conn)) (*mail.Client, error) {
	dial := (&net.Dialer{}).DialContext
	if s.security == implicitTLS {
		dial = (&tls.Dialer{Config: &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}}).DialContext
	}
	options := []mail.Option{
		mail.WithPort(s.port),
		mail.WithTimeout(acceptTimeout),
		mail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err == nil {
				dialed(conn)
			}
			return conn, err
		}),
	}
	switch s.security {
	case implicitTLS:
		options = append(options, mail.WithSSL())
	case startTLS:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	case noTLS:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if s.hello != "" {
		options = append(options, mail.WithHELO(s.hello))
	}
	if s.user != "" {
		options = append(options, mail.WithUsername(s.user), mail.WithPassword(s.password))
		if s.security == noTLS {
			options = append(options, mail.WithSMTPAuth(mail.SMTPAuthPlainNoEnc))
		} else {
			options = append(options,
				mail.WithOpportunisticSMTPAuth(mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthPlain, mail.SMTPAuthLogin))
		}
	}
	return mail.NewClient(s.host, options...)
}

const answerLength = 500 // bytes

// answer returns an error as one line to store and show.
func (s Server) answer(err error) string {
	text := err.Error()
	if s.password != "" {
		text = strings.ReplaceAll(text, s.password, "…")
	}
	return models.Storable(strings.Join(strings.Fields(text), " "), answerLength)
}
