// Command dispo is the service and its operator's commands: `dispo --help`
// lists them.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, end := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals) // so that a second signal ends the program at once, whenever it comes
		end()
	}()
	signal.Ignore(syscall.SIGPIPE) // the error of the write says so, and what has begun is finished
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, &output{to: os.Stdout}, os.Stderr}))
}

// streams are the standard streams of a command: its result goes to out, and
// everything else to err.
type streams struct {
	in  io.Reader
	out *output
	err io.Writer
}

type program struct {
	settings `group:"Settings:"`

	Demo         demoCommand          `cmd:"" help:"Serve made-up data, to try Dispo."`
	Serve        serveCommand         `cmd:"" help:"Serve the API and the dashboard."`
	Migrate      migrateCommand       `cmd:"" help:"Bring the database's schema up to date."`
	Organization organizationCommands `cmd:"" help:"Manage organizations."`
	User         userCommands         `cmd:"" help:"Manage users."`
	Key          keyCommands          `cmd:"" help:"Manage API keys."`
	Import       importCommands       `cmd:"" help:"Import companies and deliveries."`
	Layout       layoutCommands       `cmd:"" help:"Try the layout of a delivery file."`
	Watch        watchCommand         `cmd:"" help:"Import deliveries as they arrive in a folder."`
	Delivery     deliveryCommands     `cmd:"" help:"List, repair and withdraw imported deliveries."`
	History      historyCommands      `cmd:"" help:"Tell clients that the data may have gone back in time."`
	Mail         mailCommands         `cmd:"" help:"Try the mail server, and list the mails that were not sent."`
	Backup       backupCommands       `cmd:"" help:"Back up the database, and check backups."`
	Postgres     postgresCommands     `cmd:"" help:"Upgrade the embedded database's PostgreSQL."`
	Restore      restoreCommand       `cmd:"" help:"Fill an empty database from a backup."`
	Doctor       doctorCommand        `cmd:"" help:"Check the settings, the database and everything else that the service needs, and say what to do; the exit status is 1 if something fails."`
	Health       healthCommand        `cmd:"" help:"Check whether a running service is healthy; the exit status is 0 if it is."`
	Version      versionCommand       `cmd:"" help:"Print the version."`
	Manual       manualCommand        `cmd:"" hidden:"" help:"Print the manual page."`
	Complete     completeCommand      `cmd:"" hidden:"" help:"Print how a command line may go on."`
}

type environment struct {
	ctx      context.Context
	streams  streams
	settings *settings
	log      *slog.Logger
}

func run(ctx context.Context, arguments []string, streams streams) int {
	fail := func(status int, err error) int {
		fmt.Fprintln(streams.err, "dispo:", sentence(err))
		return status
	}
	unsetEmpty()
	if writable := uint32(2); os.Getenv("TMPDIR") == "" && syscall.Access("/var/tmp", writable) == nil {
		_ = os.Setenv("TMPDIR", "/var/tmp") // on a disk; /tmp is often memory
	}
	var cli program
	exited := -1
	parser, err := kong.New(
		&cli,
		kong.Name("dispo"),
		kong.UsageOnError(),
		kong.Description("Danish companies and their disposition transactions, over a JSON API.\n\n"+
			"Settings that may contain a password have no flag and come from the environment: "+strings.Join(secretNames, ", ")+". Each can also be in a file: DISPO_SECRET_FILE names it, and so on."),
		kong.ConfigureHelp(kong.HelpOptions{FlagsLast: true}),
		kong.Writers(streams.out, streams.err),
		kong.Exit(func(status int) { exited = status }),
	)
	if err != nil {
		return fail(exitFailed, err)
	}
	command, err := parser.Parse(arguments)
	if exited >= 0 || streams.out.err != nil { // --help
		if err := streams.out.close(); err != nil {
			return fail(exitFailed, err)
		}
		return exited
	}
	if err == nil {
		name := command.Selected().Name
		heedHangUps(name == "serve" || name == "watch")
		if err = cli.readEnvFile(command.Command()); err == nil {
			command, err = parser.Parse(arguments) // with the file's variables
		}
	}
	if err != nil {
		if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
			command = wrong.Context
		}
		return fail(exitUsage, fmt.Errorf("%w (see `%s --help`)", err, commandName(command)))
	}
	if cli.Data, err = dataDirectory(cli.Data); err != nil {
		return fail(exitUsage, err)
	}
	cli.ignored = ignorePostgres()
	cli.misspelt = misspelt(parser.Model.Node)
	if cli.secretSettings, err = readSecrets(); err != nil {
		return fail(exitUsage, err)
	}
	if cli.MailServer != nil {
		cli.MailServer.Introduce(string(cli.PublicURL), cli.MailFrom)
	}
	log, flush := newLog(streams.err, cli.LogLevel)
	defer flush()
	slog.SetDefault(log)
	if cmp.Or(cli.DatabaseURL, cli.MigrationURL) != "" && len(cli.ignored) > 0 {
		log.Warn("PG… variables have no effect: write what a connection needs into its URL", "variables",
			strings.Join(cli.ignored, " "))
	}
	for _, text := range cli.misspelt {
		log.Warn("a variable is not a setting, and has no effect", "variable", text)
	}
	if err = command.Run(&environment{ctx, streams, &cli.settings, log}); err == nil {
		err = streams.out.close()
	}
	if err != nil {
		if _, usage := errors.AsType[*usageError](err); usage {
			return fail(exitUsage, err)
		}
		if errors.Is(err, errReported) {
			return exitFailed
		}
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = errors.New("interrupted before the command was done")
		}
		return fail(exitFailed, err)
	}
	return exitDone
}

// commandName returns the words of the command that was given, as far as they are known.
func commandName(given *kong.Context) string {
	name := "dispo"
	for _, step := range given.Path {
		if step.Command != nil {
			name += " " + step.Command.Name
		}
	}
	return name
}

// sentence returns an error's text on one line, printable and without keys. Only the
// error of a bad file has more lines: one for each of its bad lines.
func sentence(err error) string {
	text := models.MaskKeys(err.Error())
	if _, badFile := errors.AsType[*imports.BadFile](err); badFile {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = printable(lines[i])
		}
		return strings.Join(lines, "\n")
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\t' })
	return printable(strings.ReplaceAll(strings.Join(slices.Compact(lines), "; "), ":; ", ": "))
}

// usageError is the error of a command that was used wrongly.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usageErrorf(format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...)}
}

// errReported is returned by a command that has already printed its error.
var errReported = errors.New("already reported")

// newLog returns a log that writes text to a terminal and JSON to anything else. It
// masks keys, and samples failures and security events. flush logs what was counted last.
func newLog(to io.Writer, level string) (log *slog.Logger, flush func()) {
	var least slog.Level
	_ = least.UnmarshalText([]byte(level)) // the flag's enum has checked it
	options := &slog.HandlerOptions{Level: least, ReplaceAttr: models.MaskLog}
	var handler slog.Handler = slog.NewJSONHandler(to, options)
	if isTerminal(to) {
		handler = slog.NewTextHandler(to, options)
	}
	sampled := newSampler(handler)
	return slog.New(sampled), sampled.flush
}

// printTable prints rows below a head, with columns between tabs. Without rows it says so on
// standard error.
func printTable[T any](e *environment, rows []T, none, head string, line func(T) string) error {
	if len(rows) == 0 {
		fmt.Fprintln(e.streams.err, none)
		return nil
	}
	table := tabwriter.NewWriter(e.streams.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, head)
	for _, row := range rows {
		fmt.Fprintln(table, line(row))
	}
	return table.Flush()
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// output is standard output. It keeps its first error, because most commands don't look at it.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	return n, o.keep(err)
}

// close closes it, when some file systems first say that they have no room. It returns the
// first error. Later calls return the same.
func (o *output) close() error {
	if file, ok := o.to.(io.Closer); ok {
		o.to = io.Discard
		_ = o.keep(file.Close())
	}
	return o.err
}

func (o *output) keep(err error) error {
	if err != nil {
		err = fmt.Errorf("cannot write to standard output: %w", database.RootCause(err))
	}
	if o.err == nil {
		o.err = err
	}
	return err
}

// printable escapes the characters of a text from outside that could control the
// terminal or cannot be seen: an ESC becomes \x1b, and a line end \n.
func printable(text string) string {
	var escaped strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if strconv.IsGraphic(r) {
			escaped.WriteRune(r)
		} else {
			escaped.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return escaped.String()
}

// version and commit are set by the linker in a release.
var version, commit string

type versionCommand struct{}

func (c *versionCommand) Run(e *environment) error {
	fmt.Fprintf(e.streams.out, "dispo %s (%s)\n", versionText(), runtime.Version())
	return nil
}

// versionText returns the release, or "development", and the commit if it is known.
func versionText() string {
	text, revision := cmp.Or(version, "development"), commit
	if info, ok := debug.ReadBuildInfo(); ok && revision == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = setting.Value
			}
		}
	}
	return strings.TrimSpace(text + " " + revision)
}

// count returns a number with its noun.
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
