package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/wneessen/go-mail"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/secrets"
)

const (
	sendEvery = time.Second
	tendEvery = time.Minute

	// While the mail server or the database cannot be used, an instance waits for longer
	// and longer before it tries again with the next mail.
	failureMost = 30 * time.Second

	// A mail that fails waits for a minute, then two, then four, and so on up to an hour.
	pauseFirst = time.Minute
	pauseMost  = time.Hour

	givenUpAfter = 3 * 24 * time.Hour
)

// Config configures a Sender.
type Config struct {
	Store     *models.Store
	Server    Server
	From      Address
	PublicURL *url.URL // that links start with
	Log       *slog.Logger
}

// Sender sends the mails in the outbox, of all organizations.
type Sender struct {
	Config
	waiting, givenUp atomic.Int64
}

// NewSender returns a sender, and notes that there is one. From then on mails are written
// to the outbox. Errors: those of the database.
func NewSender(ctx context.Context, config Config) (*Sender, error) {
	texts() // a broken one stops the service before it serves
	layout()
	s := &Sender{Config: config}
	return s, models.Wrap(s.tend(ctx))
}

// Waiting returns how many mails waited, of all instances, a minute ago or less.
func (s *Sender) Waiting() int64 { return s.waiting.Load() }

// GivenUp returns how many mails of the last 30 days were given up, a minute ago or less.
func (s *Sender) GivenUp() int64 { return s.givenUp.Load() }

// Run sends mails until ctx ends, and finishes the one that it is sending.
func (s *Sender) Run(ctx context.Context) {
	tend := time.NewTicker(tendEvery)
	defer tend.Stop()
	wait, failures := sendEvery, 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = sendEvery
		if err := s.SendDue(ctx); err != nil && ctx.Err() == nil {
			failures++
			wait = min(sendEvery<<min(failures, 10), failureMost)
			s.Log.Warn("cannot send mail: trying again soon", "error", err, "seconds", wait.Seconds())
		} else {
			failures = 0
		}
		select {
		case <-tend.C:
			if err := s.tend(ctx); err != nil && ctx.Err() == nil {
				s.Log.Warn("cannot tend the outbox: trying again soon", "error", err)
			}
		default:
		}
	}
}

// SendDue sends the mails that are due, one after the other. It stops at the first one
// that fails because the mail server or the database cannot be used, so that the others
// do not have to wait as long as that one.
func (s *Sender) SendDue(ctx context.Context) error {
	for ctx.Err() == nil {
		found, err := s.sendOne(ctx)
		if err != nil || !found {
			return err
		}
	}
	return nil
}

// tend notes that this instance sends, and counts.
func (s *Sender) tend(ctx context.Context) error {
	counted, err := database.Query[struct{ Waiting, GivenUp int64 }](ctx, s.Store.DB(),
		`SELECT waiting, given_up FROM mail_tend()`)
	if err != nil {
		return err
	}
	s.waiting.Store(counted[0].Waiting)
	s.givenUp.Store(counted[0].GivenUp)
	return nil
}

// claimed is a mail of the outbox that this instance sends.
type claimed struct {
	OrganizationID   uuid.UUID
	ID               uuid.UUID
	Kind             string
	Recipient        string
	Details          string
	CreatedAt        time.Time
	Attempts         int
	OrganizationName string
	TimeZone         string
	Language         i18n.Language // of its reader
	Member           bool          // whether its reader is a member of the organization
}

// sendOne sends a mail that is due. It reports whether it found one.
//
// The transaction holds the mail's lock while the mail server is asked, so no other
// instance sends the mail meanwhile, however long that takes. A lease could run out. If
// this process is killed, PostgreSQL releases the lock, and another instance sends the
// mail at once. It is sent twice only if the server had accepted it before.
func (s *Sender) sendOne(ctx context.Context) (found bool, err error) {
	tx, err := s.Store.DB().Pool.Begin(ctx)
	if err != nil {
		return false, models.Wrap(err)
	}
	settling := context.WithoutCancel(ctx) // what the server has taken must be noted
	defer func() { _ = tx.Rollback(settling) }()
	conn := database.InTransaction(tx)
	rows, err := conn.Query(
		ctx,
		`SELECT organization_id, id, kind, recipient, details, created_at, attempts, organization_name, time_zone, language, member FROM mail_claim()`,
	)
	if err != nil {
		return false, models.Wrap(err)
	}
	m, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[claimed])
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, models.Wrap(err)
	}
	// A server that ends idle transactions would release the lock, and have the mail sent twice.
	if _, err := conn.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
		return false, models.Wrap(err)
	}
	how, answer, err := s.attempt(ctx, conn, m)
	if err != nil && ctx.Err() != nil && how == later {
		return false, err // it is no fault of the mail's
	}
	const settle = `SELECT mail_settle($1, $2, $3, $4, $5)`
	if _, err := conn.Exec(settling, settle, m.OrganizationID, m.ID, string(how), answer, pause(m.Attempts)); err != nil {
		return true, models.Wrap(err)
	}
	if err := tx.Commit(settling); err != nil {
		return true, models.Wrap(err)
	}
	if errors.Is(err, errServer) {
		return true, err
	}
	if how != sent {
		s.Log.Warn("a mail was not sent", "mail", m.ID, "kind", m.Kind, "organization", m.OrganizationID,
			"attempt", m.Attempts+1, "given_up", how == never, "answer", answer)
	}
	return true, nil
}

// attempt sends a mail, unless it is too late for that.
func (s *Sender) attempt(ctx context.Context, conn database.TxConn, m claimed) (outcome, string, error) {
	tooOld := time.Since(m.CreatedAt) > givenUpAfter
	if tooOld && m.Attempts == 0 {
		return never, "nothing could be sent for three days", nil
	}
	message, err := s.message(ctx, conn, m)
	if err != nil {
		if ended, ok := errors.AsType[*endedError](err); ok {
			return never, ended.Error(), nil
		}
		return later, s.Server.answer(err), err
	}
	how, answer, err := s.Server.send(ctx, message)
	if how == later && tooOld {
		how = never
	}
	return how, answer, err
}

// pause returns how long a mail waits after it failed once more.
func pause(attempts int) time.Duration { return min(pauseFirst<<min(attempts, 10), pauseMost) }

// endedError says why a mail need not be sent any more.
type endedError struct{ text string }

func (e *endedError) Error() string { return e.text }

// message makes the message of a mail. Its Message-ID is the same each time. A mail about
// an organization is not sent to somebody who is no longer a member.
func (s *Sender) message(ctx context.Context, conn database.TxConn, m claimed) (*mail.Msg, error) {
	if !m.Member && !Kind(m.Kind).AboutAccount() {
		return nil, &endedError{"its reader is no longer a member"}
	}
	in := m.Language
	if !in.IsOffered() {
		in = i18n.English
	}
	with, companies, err := s.readDetails(in, m)
	if err != nil {
		return nil, err
	}
	link, err := s.link(ctx, conn, m, with)
	if err != nil {
		return nil, err
	}
	content, err := compose(in, Kind(m.Kind), with, companies, link)
	if err != nil {
		return nil, err
	}
	return newMessage(s.From, m.Recipient, m.ID, content)
}

func newMessage(from Address, recipient string, id uuid.UUID, content Content) (*mail.Msg, error) {
	message := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := message.FromFormat(from.Name, from.Address); err != nil {
		return nil, fmt.Errorf("the sender's address cannot be used: %w", err)
	}
	if err := message.To(recipient); err != nil {
		return nil, fmt.Errorf("the recipient's address cannot be used: %w", err)
	}
	message.SetMessageIDWithValue(id.String() + "@" + from.domain())
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody answers it automatically
	message.SetGenHeader("X-Auto-Response-Suppress", "All")  // the same for Exchange
	message.Subject(content.Subject)
	message.SetBodyString(mail.TypeTextPlain, content.Text)
	message.AddAlternativeString(mail.TypeTextHTML, content.HTML)
	return message, nil
}

// page returns the address of a page about the mail's organization. Its reader may work in
// another one, so the address names it.
func (s *Sender) page(m claimed, path ...string) string {
	for i := range path {
		path[i] = url.PathEscape(path[i])
	}
	return s.PublicURL.JoinPath(path...).String() + "?organization=" + m.OrganizationID.String()
}

const validLink = `SELECT EXISTS (SELECT FROM password_links WHERE token_hash = $1 AND expires_at > now())`

// link returns the address that a mail's button leads to. It never comes from a request,
// whose Host header its sender chooses.
func (s *Sender) link(ctx context.Context, conn database.TxConn, m claimed, details Details) (string, error) {
	base := strings.TrimSuffix(s.PublicURL.String(), "/")
	var valid string
	switch Kind(m.Kind) {
	case Invitation:
		base, valid = base+"/invitations/", `SELECT EXISTS (SELECT FROM invitation_find($1) WHERE mailed AND expires_at > now())`
	case Password:
		base, valid = base+"/password/", validLink
	case Unlock:
		base, valid = base+"/sign-in/link/", validLink
	case LinkProvider:
		base, valid = base+"/sign-in/return/"+m.OrganizationID.String()+"/link/", validLink
	case ProviderOptional:
		return s.page(m, "settings", "sign-in"), nil
	case ProviderLinked:
		return base + "/profile", nil
	case SignIn, PasswordChanged, FactorOn, FactorOff, RecoveryUsed:
		return base + "/password/forgotten", nil
	case FactorReset:
		return base + "/profile", nil
	case MemberJoined, MemberRemoved, MemberRole:
		return s.page(m, "settings", "members"), nil
	case DeliveryArrived, DeliveriesLater, DeliveryLate, DeliveryWithdrawn:
		return s.page(m, "deliveries", details["delivery_id"]), nil
	case KeyLeaked:
		if details["revoked"] == "yes" {
			return s.page(m, "settings", "api-keys", "new") + "&replaces=" + url.QueryEscape(details["key_id"]), nil
		}
		return s.page(m, "settings", "api-keys", details["key_id"], "rotate"), nil
	default:
		return s.page(m, "settings", "api-keys", details["key_id"]), nil
	}
	for _, token := range tokens(s.Store.Secret(), m.ID) {
		var good bool
		if err := conn.QueryRow(ctx, valid, secrets.TokenHash(token)).Scan(&good); err != nil {
			return "", err
		}
		if good {
			return base + token, nil
		}
	}
	return "", &endedError{"its link was withdrawn or has expired"}
}
