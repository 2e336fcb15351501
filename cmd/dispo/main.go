// Command dispo is the service and its operator's commands: `dispo --help`
// lists them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"dispo/models"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	status := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(status)
}

// streams are what a command reads from and writes to: its result goes to out,
// all else to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// program is the command line.
type program struct {
	settings

	Demo         demoCommand          `cmd:"" help:"Serve with made-up data, to try Dispo."`
	Serve        serveCommand         `cmd:"" help:"Serve."`
	Migrate      migrateCommand       `cmd:"" help:"Bring the database's schema up to date."`
	Organization organizationCommands `cmd:"" help:"Organizations."`
	User         userCommands         `cmd:"" help:"Users."`
	Key          keyCommands          `cmd:"" help:"API keys."`
	Import       importCommands       `cmd:"" help:"Bring data in."`
	Health       healthCommand        `cmd:"" help:"Ask a running service whether it is well; exit status 0 where it is."`
	Version      versionCommand       `cmd:"" help:"Tell the version."`
}

// environment is what every command gets.
type environment struct {
	ctx      context.Context
	streams  streams
	settings *settings
	log      *slog.Logger
}

// run runs one command and gives its exit status.
func run(ctx context.Context, arguments []string, streams streams) int {
	fail := func(status int, err error) int {
		fmt.Fprintln(streams.err, "dispo:", sentence(err))
		return status
	}
	unsetEmpty()
	var cli program
	exited := -1
	parser, err := kong.New(&cli, kong.Name("dispo"), kong.UsageOnError(),
		kong.Description("Danish companies and their disposition transactions, over a JSON API.\n\n"+
			"Settings that may contain a password have no flag and come from the environment: DATABASE_URL, DATABASE_MIGRATION_URL, REDIS_URL and DISPO_SECRET."),
		kong.Writers(streams.out, streams.err), kong.Exit(func(status int) { exited = status }))
	if err != nil {
		return fail(exitFailed, err)
	}
	command, err := parser.Parse(arguments)
	if exited >= 0 { // --help
		return exited
	}
	if err != nil {
		return fail(exitUsage, fmt.Errorf("%w (see `dispo --help`)", err))
	}
	if cli.secrets, err = readSecrets(); err != nil {
		return fail(exitUsage, err)
	}
	if cli.Data, err = dataDirectory(cli.Data); err != nil {
		return fail(exitUsage, err)
	}
	log := newLog(streams.err, cli.LogLevel)
	slog.SetDefault(log)
	if err := command.Run(&environment{ctx, streams, &cli.settings, log}); err != nil {
		var usage *usageError
		if errors.As(err, &usage) {
			return fail(exitUsage, err)
		}
		if errors.Is(err, errToldAlready) {
			return exitFailed
		}
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = errors.New("interrupted before it was done")
		}
		return fail(exitFailed, err)
	}
	return exitDone
}

// sentence is an error in one line. Only a bad file has more: it tells its bad
// lines, a line each.
func sentence(err error) string {
	var file *models.BadFile
	if errors.As(err, &file) {
		return err.Error()
	}
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\t' })
	return strings.ReplaceAll(strings.Join(slices.Compact(lines), "; "), ":; ", ": ")
}

// usageError says that a command was used wrongly.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usage(format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...)}
}

// errToldAlready says that a command failed and has said why.
var errToldAlready = errors.New("told already")

// newLog writes text to a terminal, and JSON to anything else.
func newLog(to io.Writer, level string) *slog.Logger {
	var least slog.Level
	_ = least.UnmarshalText([]byte(level)) // the flag's enum has checked it
	options := &slog.HandlerOptions{Level: least}
	if isTerminal(to) {
		return slog.New(slog.NewTextHandler(to, options))
	}
	return slog.New(slog.NewJSONHandler(to, options))
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
