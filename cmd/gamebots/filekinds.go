package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/experiment"
	"gamebots/bots/registry"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/strategy"
)

// fileKind is a kind of file that gamebots check recognizes.
type fileKind struct {
	name   string // as in --json
	detect func(file string) bool
	check  func(file string) finding
}

// fileKinds are all kinds of files that gamebots check recognizes, in the order in which
// they are tried. The last accepts the names of shipped games and any other file. Files of
// other commands are refused as game definitions.
var fileKinds = []fileKind{
	{"settings", func(file string) bool { return strings.HasSuffix(file, ".toml") }, checkSettings},
	{"snakes", isSnakes, checkSnakes},
	{"strategy", func(file string) bool { return isStrategy(file) || strings.HasSuffix(file, ".strategy") }, checkStrategy},
	{"network", func(file string) bool { return isNet(file) || strings.HasSuffix(file, ".net") }, checkNet},
	{"checkpoint", isCheckpoint, checkCheckpoint},
	{"buckets", isBuckets, checkBuckets},
	{"game", isDealerLog, refuse("a dealer's log", "gamebots replay verifies it")},
	{"game", func(string) bool { return true }, checkGame},
}

// check checks a file by its kind.
func check(file string) finding {
	for _, k := range fileKinds {
		if k.detect(file) {
			f := k.check(file)
			f.file, f.kind = file, k.name
			return f
		}
	}
	panic("the last kind accepts every file")
}

// checkSettings loads a file of settings.
func checkSettings(file string) (f finding) {
	settings := configs.DefaultsFor(file)
	var checks []func() error
	switch s := settings.(type) {
	case *configs.Arena:
		checks = append(checks, func() error { _, err := gridflags.Players().Plan(s); return err })
	case *configs.Board:
		checks = append(checks, func() error { return registry.CheckBoard(s) })
	case *configs.Spot:
		checks = append(checks, func() error { _, err := registry.NewSpot(s); return err })
	case *configs.Experiment:
		checks = append(checks, func() error { _, err := experiment.NewPlan(s); return err })
	}
	if f.err = configs.Load(file, settings, nil, checks...); f.err == nil {
		f.summary, f.text = "settings of "+configs.Describe(settings), configs.Text(settings)
	}
	return f
}

// checkGame reads a game definition, with its warnings.
func checkGame(file string) (f finding) {
	name, text, err := configs.GameText(file)
	if err != nil {
		f.err = err
		return f
	}
	g, warnings, err := acpc.CheckGame(name, text)
	f.warnings, f.err = warnings, err
	if err == nil {
		f.summary, f.text = summary(g), g.String()
	}
	return f
}

// refuse returns a check that refuses a file for another command. The hint names the
// command.
func refuse(what, hint string) func(file string) finding {
	return func(file string) finding {
		return finding{err: usererr.WithHint(fmt.Errorf("%s is %s, not a game definition", file, what), hint)}
	}
}

// isStrategy reports whether a file is a strategy, perhaps a damaged one.
func isStrategy(file string) bool { return begins(file, strategy.Magic) }

// isNet reports whether a file is a network, perhaps a damaged one.
func isNet(file string) bool { return begins(file, hexnet.Magic) }

// checkNet verifies a network, and prints how it was trained.
func checkNet(file string) (f finding) {
	n, err := hexnet.Load(file)
	if err != nil {
		f.err = err
		return f
	}
	f.summary = "network " + n.String()
	return f
}

// isCheckpoint reports whether a file is a checkpoint or buckets by strength, which the
// user's cache has in the same format.
func isCheckpoint(file string) bool { return begins(file, checkpoint.Magic) }

// isBuckets reports whether a file is a table of buckets, or has the name of one.
func isBuckets(file string) bool { return begins(file, buckets.Magic) || buckets.IsFile(file) }

// checkBuckets verifies a table of buckets, and prints how many each round has.
func checkBuckets(file string) (f finding) {
	t, err := buckets.Open(file)
	if err != nil {
		f.err = err
		return f
	}
	var sizes []string
	for round := range t.Recipe().Rounds {
		sizes = append(sizes, strconv.Itoa(t.NumBuckets(round)))
	}
	f.summary = fmt.Sprintf("buckets %s, %s by round", t.Name(), strings.Join(sizes, " / "))
	return f
}

// binaryStart is what the binary files of this program begin with.
const binaryStart = "\x93GB"

// needRecord returns an error for a binary file of this program where a record of games is
// wanted.
func needRecord(file string) error {
	if !begins(file, binaryStart) {
		return nil
	}
	hint := "gamebots check says what it is"
	if isStrategy(file) {
		hint = "it is a strategy, which gamebots show --all prints"
	}
	return usererr.WithHint(fmt.Errorf("%s is not a record of games", file), hint)
}

// begins reports whether a file begins with a text.
func begins(file, text string) bool {
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, len(text))
	_, err = io.ReadFull(in, start)
	return err == nil && string(start) == text
}

// checkStrategy verifies a strategy, and prints how it was trained.
func checkStrategy(file string) (f finding) {
	s, err := strategy.Open(file)
	if err != nil {
		f.err = err
		return f
	}
	defer s.Close()
	if f.err = s.Verify(); f.err == nil {
		m := s.Meta()
		f.summary, f.text = fmt.Sprintf("strategy for %s, %d iterations of %s", m.Game, m.Iterations, m.Algorithm), describe(m)
	}
	return f
}

// checkCheckpoint verifies a checkpoint or buckets by strength, and prints what it is of.
func checkCheckpoint(file string) (f finding) {
	m, err := checkpoint.Verify(file)
	switch {
	case err != nil:
		f.err = err
	case m.Game == "":
		f.summary = fmt.Sprintf("buckets of %s cards by %s", m.Abstraction, m.Algorithm)
	default:
		f.summary = fmt.Sprintf("checkpoint of %s, %d iterations of %s in %.3g s", m.Game, m.Iterations, m.Algorithm, m.Seconds)
		f.text = describe(m.Meta)
	}
	return f
}

// describe returns what a training depends on besides its algorithm, and its game.
func describe(m strategy.Meta) string {
	text := fmt.Sprintf("seed %d\n", m.Seed)
	if m.Abstraction != "" {
		text = fmt.Sprintf("cards %s\n", m.Abstraction) + text
	}
	if m.Actions != "" {
		text += fmt.Sprintf("actions %s\n", m.Actions)
	}
	if m.Rounds != 0 {
		text += fmt.Sprintf("first rounds only: %d\n", m.Rounds)
	}
	if m.Bits != 0 {
		text += fmt.Sprintf("%d bits a probability\n", m.Bits)
	}
	if m.Exploitability != nil {
		text += fmt.Sprintf("exploitability %g chips\n", *m.Exploitability)
	}
	return text + m.GameText
}

// logStart is the beginning of a dealer's log of whole matches.
const logStart = "# name/game/hands/seed "

// isDealerLog reports whether a file begins as a dealer's log does.
func isDealerLog(file string) bool { return begins(file, logStart) || begins(file, "STATE:") }

// isSnakes reports whether a file has the extension .snake, or its first line that is
// not a comment is a snake or a coil.
func isSnakes(file string) bool {
	if strings.HasSuffix(file, ".snake") {
		return true
	}
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			return words[0] == "snake" || words[0] == "coil"
		}
	}
	return false
}

// checkSnakes checks every sequence of a file, and prints them in canonical form.
func checkSnakes(file string) (f finding) {
	in, err := os.Open(file)
	if err != nil {
		f.err = err
		return f
	}
	defer in.Close()
	entries, err := cube.Read(in)
	if err != nil {
		f.err = inFile(file, err)
		return f
	}
	var text, summary strings.Builder
	for i, e := range entries {
		fmt.Fprintln(&text, e)
		if i > 0 {
			summary.WriteString(", ")
		}
		fmt.Fprintf(&summary, "%s of %d in dimension %d", e.Rules.Kind(), len(e.Sequence), e.Rules.Dimension)
	}
	f.summary, f.text = summary.String(), text.String()
	return f
}

// inFile names the file of an error, or of each of several that are joined.
func inFile(file string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s: %w", file, err)
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, fmt.Errorf("%s: %w", file, e))
	}
	return errors.Join(all...)
}
