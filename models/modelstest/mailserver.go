package modelstest

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// The login that mail servers for tests accept.
const (
	MailUser     = "dispo@mail.example"
	MailPassword = "p@ss/word %1"
)

// MailTLS is how a mail server for tests encrypts: its URL, as DISPO_SMTP_URL has it.
type MailTLS string

const (
	MailPlain    MailTLS = "smtp://HOST?tls=none"                                   // it offers no TLS, and takes mail without a login
	MailStartTLS MailTLS = "smtp://dispo%40mail.example:p%40ss%2Fword%20%251@HOST"  // it wants STARTTLS and a login
	MailImplicit MailTLS = "smtps://dispo%40mail.example:p%40ss%2Fword%20%251@HOST" // it speaks TLS from the start, and wants a login
)

// MailServer is a mail server that keeps what it accepts.
type MailServer struct {
	URL    string
	HangUp atomic.Bool // closes the connection after each mail that it accepted

	mode   MailTLS
	decide atomic.Pointer[func(m ReceivedMail) error]
	mu     sync.Mutex
	mails  []ReceivedMail
}

// Answer lets a function decide on each mail before it is accepted: no error accepts it.
// The function is called at the recipient (RCPT TO), without the content, and after the
// content (DATA).
func (s *MailServer) Answer(decide func(m ReceivedMail) error) { s.decide.Store(&decide) }

// ReceivedMail is a mail that a mail server for tests accepted.
type ReceivedMail struct {
	Hello    string // the name in EHLO
	From, To string // of the envelope
	Data     []byte
}

// Message parses the mail.
func (m ReceivedMail) Message(t testing.TB) *netmail.Message {
	t.Helper()
	message, err := netmail.ReadMessage(bytes.NewReader(m.Data))
	require.NoError(t, err)
	return message
}

// Header returns a decoded header.
func (m ReceivedMail) Header(t testing.TB, name string) string {
	t.Helper()
	text, err := new(mime.WordDecoder).DecodeHeader(m.Message(t).Header.Get(name))
	require.NoError(t, err)
	return text
}

// Parts returns the mail's plain text and HTML.
func (m ReceivedMail) Parts(t testing.TB) (text, html string) {
	t.Helper()
	message := m.Message(t)
	kind, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/alternative", kind)
	reader := multipart.NewReader(message.Body, parameters["boundary"])
	for _, part := range []*string{&text, &html} {
		next, err := reader.NextPart() // decodes quoted-printable, and nothing else
		require.NoError(t, err)
		require.Empty(t, next.Header.Get("Content-Transfer-Encoding"))
		body, err := io.ReadAll(next)
		require.NoError(t, err)
		*part = strings.ReplaceAll(string(body), "\r\n", "\n")
	}
	_, err = reader.NextPart()
	require.ErrorIs(t, err, io.EOF)
	return text, html
}

// NewMailServer starts a mail server, and stops it with the test.
func NewMailServer(t testing.TB, mode MailTLS) *MailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &MailServer{mode: mode, URL: strings.Replace(string(mode), "HOST", listener.Addr().String(), 1)}
	s.Answer(func(ReceivedMail) error { return nil })
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &mailSession{server: s, conn: c}, nil
	}))
	server.Domain, server.AllowInsecureAuth, server.EnableSMTPUTF8 = "mail.example", s.mode == MailPlain, true
	server.ErrorLog = log.New(io.Discard, "", 0)
	if s.mode != MailPlain {
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate()}}
	}
	if s.mode == MailImplicit {
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// NewSilentMailServer starts a mail server that sends each answer once, the first as its
// greeting and the next ones to a line each, and then stays silent. It returns the server's
// address, and how many connections it holds.
func NewSilentMailServer(t testing.TB, answers ...string) (address string, connections func() int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	var open atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Add(1)
			go func() {
				defer open.Add(-1)
				defer conn.Close()
				lines := bufio.NewReader(conn)
				for _, answer := range answers {
					_, _ = io.WriteString(conn, answer+"\r\n")
					_, _ = lines.ReadString('\n')
				}
				_, _ = io.Copy(io.Discard, lines)
			}()
		}
	}()
	return listener.Addr().String(), func() int { return int(open.Load()) }
}

// Mails returns what the server has accepted.
func (s *MailServer) Mails() []ReceivedMail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Wait waits until the server has accepted that many mails, and returns them.
func (s *MailServer) Wait(t testing.TB, count int) []ReceivedMail {
	t.Helper()
	Eventually(t, func() bool { return len(s.Mails()) >= count }, "%d mails", count)
	return s.Mails()
}

type mailSession struct {
	server   *MailServer
	conn     *smtp.Conn
	loggedIn bool
	mail     ReceivedMail
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != MailUser || password != MailPassword {
			return smtp.ErrAuthFailed
		}
		s.loggedIn = true
		return nil
	}), nil
}

func (s *mailSession) Reset() {
	if s.server.HangUp.Load() && s.mail.Data != nil {
		_ = s.conn.Conn().Close()
	}
	s.mail = ReceivedMail{}
}

func (s *mailSession) Logout() error { return nil }

func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.mode != MailPlain && !s.loggedIn { // which takes TLS
		return smtp.ErrAuthRequired
	}
	s.mail.Hello, s.mail.From = s.conn.Hostname(), from
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	return (*s.server.decide.Load())(s.mail)
}

func (s *mailSession) Data(r io.Reader) (err error) {
	if s.mail.Data, err = io.ReadAll(r); err == nil {
		err = (*s.server.decide.Load())(s.mail)
	}
	if err == nil {
		s.server.mu.Lock()
		defer s.server.mu.Unlock()
		s.server.mails = append(s.server.mails, s.mail)
	}
	return err
}

// MailRefusal is an answer of a mail server that refuses a mail, with a code such as 451,
// and what it is about: the last two numbers of an enhanced code (RFC 3463), 0 and 0 for
// anything.
func MailRefusal(code int, about [2]int, message string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, about[0], about[1]}, Message: message}
}

// certificate is the mail servers' own, which nobody else has signed: the one of httptest. It
// is for 127.0.0.1, not for localhost.
var certificate = sync.OnceValue(func() tls.Certificate {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	return server.TLS.Certificates[0]
})

// MailCertificates writes a file with the mail servers' certificate, for SSL_CERT_FILE.
func MailCertificates(directory string) (path string, err error) {
	path = filepath.Join(directory, "certificates.pem")
	return path, os.WriteFile(path,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate().Certificate[0]}), 0o644)
}
