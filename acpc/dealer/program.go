package dealer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
)

// Program is the original's command, with the same arguments, output and files.
type Program struct {
	Stdout io.Writer // the ports and the score
	Stderr io.Writer // as Record.Messages
	// ReadGame returns the text of a game definition.
	ReadGame func(name string) (text string, err error)
}

// usage is printed if arguments are missing.
const usage = "usage: dealer matchName gameDefFile #Hands rngSeed p1name p2name ... [options]\n" + Options

// Options describes the options, a line each; matchName is the first argument.
const Options = `  -f                    seats keep their positions in every hand
  -l, -L                without or with a log in matchName.log (default: -L)
  -t, -T                without or with the actions in matchName.tlog (default: -t)
  -a                    append to these files; with -T, resume the match in them
  -p PORT,PORT,...      ports of the seats, 0 for a random one (default: random)
  -q                    print only header, warnings, errors and score on stderr
  --t_response MS       time for a response (default: 600000)
  --t_hand MS           time of a player in a hand (default: 600000)
  --t_per_hand MS       time of a player in the match, per hand (default: 7000)
  --start_timeout MS    time for all to connect (default: -1, forever)
  --strict-original     where the original fails or loses chips, do so too
`

// Run plays one match. The error that it returns has been printed; the original's exit
// status is then 1.
func (p *Program) Run(ctx context.Context, args []string) error {
	o, err := parseOptions(args)
	if err != nil {
		return p.report(err)
	}
	for _, warning := range o.warnings {
		fmt.Fprintf(p.Stderr, "WARNING: %s\n", warning)
	}
	m, err := p.match(o)
	if err != nil {
		return p.report(err)
	}
	score, err := p.record(ctx, m, o)
	if err != nil {
		return err
	}
	_, err = p.Stdout.Write(m.AppendScore(nil, score))
	return err
}

// record opens the files and plays the match.
func (p *Program) record(ctx context.Context, m *Match, o *options) (score []float64, err error) {
	f, err := o.openFiles(m.Name)
	defer func() {
		if closeErr := f.close(); err == nil && closeErr != nil {
			err = p.report(closeErr)
		}
	}()
	if err != nil {
		return nil, p.report(err)
	}
	record, err := f.record(o, m)
	if err != nil {
		return nil, p.report(err)
	}
	record.Messages, record.Quiet = p.Stderr, o.quiet

	lobby, err := listenFrom(m.Seed, o.ports[:m.Game.NumPlayers]...)
	if err != nil {
		return nil, p.report(err)
	}
	lobby.eager = true
	if _, err := fmt.Fprintln(p.Stdout, strings.Trim(fmt.Sprint(lobby.Ports()), "[]")); err != nil {
		lobby.Close()
		return nil, p.report(fmt.Errorf("could not print the ports: %w", err))
	}
	return m.Host(ctx, lobby, record)
}

// report prints an error and returns it.
func (p *Program) report(err error) error {
	if errors.Is(err, ErrUsage) {
		_, _ = io.WriteString(p.Stdout, usage)
	} else {
		_, _ = io.WriteString(p.Stderr, originalText(err))
	}
	return err
}

// match returns the match of a command line, whose operands are checked in the original's
// order.
func (p *Program) match(o *options) (*Match, error) {
	if len(o.operands) < 4 {
		return nil, ErrUsage
	}
	m := &Match{
		Name: o.operands[0], GameFile: o.operands[1],
		Fixed: o.fixed, Limits: o.limits, StrictOriginal: o.strictOriginal,
	}
	text, err := p.ReadGame(m.GameFile)
	if err != nil {
		return nil, withOriginalText(err, "could not open game definition %s\n", m.GameFile)
	}
	if m.Game, err = readGame(m.GameFile, text, o.strictOriginal); err != nil {
		return nil, err
	}
	hands, seed, names := o.operands[2], o.operands[3], o.operands[4:]
	if len(names) < m.Game.NumPlayers {
		return nil, ErrUsage
	}
	m.Names = names[:m.Game.NumPlayers]
	number, n := acpc.ScanUint(hands)
	if m.Hands = uint32(number); n == 0 || m.Hands == 0 {
		return nil, fmt.Errorf("invalid number of hands %s", hands)
	}
	if number, n = acpc.ScanUint(seed); n == 0 {
		return nil, fmt.Errorf("invalid random number seed %s", seed)
	}
	m.Seed = uint32(number)
	return m, m.check(len(m.Names))
}

// readGame reads a game definition; strict reads it as the original plays it.
func readGame(name, text string, strict bool) (*acpc.Game, error) {
	parse := acpc.ParseGame
	if strict {
		parse = acpc.ParseOriginal
	}
	g, err := parse(name, text)
	if e := (*acpc.GameError)(nil); errors.As(err, &e) {
		err = originalError{err, fmt.Sprintf("%s\nERROR: could not read game %s\n", e.Msg, name)}
	}
	return g, err
}
