package files

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/hand"
	"gamebots/bots/registry"
	"gamebots/bots/spotstudy"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/strategy"
)

// Finding is what a check has found.
type Finding struct {
	File     string
	Kind     string // the name of a kind, as "settings" or "extensive game"
	Summary  string // one line
	Text     string // as the program reads it, in canonical form
	Warnings []acpc.Warning
	Err      error // why it cannot be used
}

// Check checks a file, or the shipped game of that name.
func Check(file string) Finding {
	kinds := kinds
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe may never begin
		kinds = kinds[len(kinds)-1:]
	}
	for _, k := range kinds {
		if k.detect(file) {
			f := Finding{File: file, Kind: k.name}
			f.Err = k.check(file, &f)
			return f
		}
	}
	panic("the last kind accepts every file")
}

// checkSettings loads a file of settings.
func checkSettings(file string, f *Finding) error {
	settings, of := configs.DefaultsFor(file)
	var checks []func() error
	switch s := settings.(type) {
	case *configs.Arena:
		players := registry.NewPlayers(nil)
		checks = append(checks, func() error { _, err := players.Plan(s); return err })
	case *configs.BoardBot:
		checks = append(checks, func() error { return registry.CheckBoard(s) })
	case *configs.AbstractPlay:
		checks = append(checks, func() error { return registry.CheckBoard(&configs.BoardBot{Engine: s.Engine}) })
	case *configs.Spot:
		checks = append(checks, func() error { _, err := spotstudy.FromSettings(s); return err })
	}
	if err := configs.Load(file, settings, nil, checks...); err != nil {
		return err
	}
	f.Summary, f.Text = "settings of "+of, configs.Text(settings)
	return nil
}

// checkGame reads a game definition, with its warnings, or makes a shipped extensive game.
func checkGame(file string, f *Finding) error {
	if g, err := extensive.Named(file); g != nil || err != nil {
		if err == nil {
			describeExtensive(g, f)
		}
		return err
	}
	name, text, err := configs.GameText(file)
	if err != nil {
		return err
	}
	g, warnings, err := acpc.CheckGame(name, text)
	f.Warnings = warnings
	if err == nil {
		f.Summary, f.Text = describeGame(g), g.String()
	}
	return err
}

// describeGame describes a game in one line.
func describeGame(g *acpc.Game) string {
	betting := "limit"
	if g.Betting == acpc.NoLimit {
		betting = "no-limit"
	}
	suits := usererr.Counted(g.NumSuits, "suit", "suits")
	board := strings.Trim(fmt.Sprint(g.NumBoardCards[:g.NumRounds]), "[]")
	line := fmt.Sprintf("%d players, %s, %d-card deck, %s, hole cards %d, board cards by round %s",
		g.NumPlayers, betting, g.NumSuits*g.NumRanks, suits, g.NumHoleCards, board)
	if g.HandRanking != hand.ACPC {
		line += fmt.Sprintf(", hand ranking %v", g.HandRanking)
	}
	return line
}

// refuse returns a check that refuses files of a kind, and names the commands that they are for.
func refuse(what, hint string) func(file string, _ *Finding) error {
	return func(file string, _ *Finding) error {
		return usererr.WithHint(fmt.Errorf("%s is %s", file, what), hint)
	}
}

// checkProfile says of which game a profile of strategies is, and how it was found.
func checkProfile(file string, f *Finding) error {
	p, err := read(file, extensive.MaxBytes, extensive.ReadProfile)
	if err != nil {
		return err
	}
	f.Summary = fmt.Sprintf("profile of %s, %s", cmp.Or(p.Source, "a game that it does not name"),
		usererr.Counted(len(p.Strategies), "information set", "information sets"))
	if p.Iterations > 0 {
		f.Summary += fmt.Sprintf(", %s of %s", usererr.Iterations(p.Iterations), p.Method)
	}
	return nil
}

// checkNet verifies a network, and says how it was trained.
func checkNet(file string, f *Finding) error {
	n, err := hexnet.Load(file)
	if err == nil {
		f.Summary = "network " + n.String()
	}
	return err
}

// checkBuckets verifies a table of buckets, and says how many each round has.
func checkBuckets(file string, f *Finding) error {
	t, err := buckets.Open(file)
	if err != nil {
		return err
	}
	var sizes []string
	for round := range t.Recipe().Rounds {
		sizes = append(sizes, strconv.Itoa(t.NumBuckets(round)))
	}
	f.Summary = fmt.Sprintf("buckets %s, %s by round", t.Name(), strings.Join(sizes, " / "))
	return nil
}

// checkStrategy verifies a strategy, and says how it was trained.
func checkStrategy(file string, f *Finding) error {
	s, err := strategy.Open(file)
	if err != nil {
		return err
	}
	m := s.Meta()
	if err := errors.Join(s.Verify(), s.Close()); err != nil {
		return err
	}
	f.Summary = fmt.Sprintf("strategy for %s, %s of %s", m.Game, usererr.Iterations(m.Iterations), m.Algorithm)
	f.Text = describeTraining(m)
	return nil
}

// checkCheckpoint verifies a checkpoint or buckets by strength, and says what it is of.
func checkCheckpoint(file string, f *Finding) error {
	m, err := checkpoint.Verify(file)
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(m.GameText, "{"): // the text of a spot is JSON
		return fmt.Errorf("%s: checkpoints of spots went with 0.3.0 (the last commit with them is 5b68c516)", file)
	case m.Game == "":
		f.Summary = fmt.Sprintf("buckets of %s cards by %s", m.Abstraction, m.Algorithm)
	default:
		f.Summary = fmt.Sprintf("checkpoint of %s, %s of %s in %.3g s", m.Game,
			usererr.Iterations(m.Iterations), m.Algorithm, m.Seconds)
		f.Text = describeTraining(m.Meta)
		if _, err := train.ParseAlgorithm(m.Algorithm); errors.Is(err, train.ErrGone) {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// describeTraining returns what a training depends on besides its algorithm, and its game.
func describeTraining(m strategy.Meta) string {
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
	if text += m.GameText; !strings.HasSuffix(text, "\n") {
		text += "\n" // a spot is one line without an end
	}
	return text
}

// checkSnakes checks every sequence of a file, and has them in canonical form.
func checkSnakes(file string, f *Finding) error {
	entries, err := snake.ReadFile(file)
	if err != nil {
		return err
	}
	var text, summary strings.Builder
	for i, e := range entries {
		fmt.Fprintln(&text, e)
		if i > 0 {
			summary.WriteString(", ")
		}
		fmt.Fprintf(&summary, "%s of %d in dimension %d", e.Rules.Kind(), len(e.Sequence), e.Rules.Dimension)
	}
	f.Summary, f.Text = summary.String(), text.String()
	return nil
}

// CheckLog verifies the matches of a dealer's log, of a game with a name or in a file.
func CheckLog(file, game string) Finding {
	f := Finding{File: file, Kind: "dealer's log"}
	f.Err = f.replay(game)
	return f
}

// replay verifies the matches of the file. If game is "" it is the one that the header names.
func (f *Finding) replay(game string) error {
	in, err := os.Open(f.File)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	begin, _ := lines.Peek(lines.Size()) // the log may be shorter
	if !strings.Contains(string(begin), acpc.LogTitle) {
		return usererr.WithHint(fmt.Errorf("%s: it has no header with the seed of the cards", f.File),
			"gamebots convert and gamebots estimate read it, with --game GAME")
	}
	g, err := GameOfLog(f.File, string(begin))
	if game != "" {
		g, err = configs.Game(game)
	}
	if err != nil {
		return err
	}
	matches, err := dealer.Replay(f.File, lines, g)
	f.Summary = usererr.Counted(len(matches), "match", "matches")
	for _, m := range matches {
		hands := usererr.Counted(int(m.Hands), "hand", "hands")
		if m.Score == "" {
			hands, m.Score = fmt.Sprintf("%d of %s", m.Played, hands), "no score: the match was interrupted"
			if err != nil {
				m.Score = "then the log is wrong"
			}
		}
		f.Text += fmt.Sprintf("%s: %s of seed %d, %s\n", m.Name, hands, m.Seed, m.Score)
	}
	return err
}
