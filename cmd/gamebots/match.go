package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"gamebots/bots/arena"
	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/registry"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/boards"
	"gamebots/internal/memory"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newMatch() *cobra.Command {
	cmd := explain(&cobra.Command{
		Use:   "match",
		Short: "Play a match of two bots at a board game",
	}, "match")
	cli.LeadsTo(cmd, newMatchHavannah())
	return cmd
}

// matchFlags are those of match havannah.
type matchFlags struct {
	a, b           string
	side           int
	out            string
	sprt           []float64
	setupA, setupB []string
	asJSON         bool
	limit          time.Duration
	even           uint64
}

func newMatchHavannah() *cobra.Command {
	var f matchFlags
	s := arena.Series{Games: 100, Opening: 2, AtOnce: 1, Referee: boards.Havannah{}.Judge}
	cmd := explain(&cobra.Command{
		Use:   "havannah --a BOT --b BOT",
		Short: "Play a match of two bots at Havannah",
		Args:  cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return matchHavannah(cmd, s, f)
		},
	}, "match_havannah")
	flags := cmd.Flags()
	flags.StringVar(&f.a, "a", "", "one bot")
	flags.StringVar(&f.b, "b", "", "the other")
	flags.IntVar(&f.side, "side", 8, "side of the board")
	flags.IntVar(&s.Games, "games", s.Games, "games, an even number")
	flags.IntVar(&s.Opening, "opening", s.Opening, "random moves at the start of each game")
	flags.Uint64Var(&s.Seed, "seed", 0, "seed of the openings")
	flags.Uint64Var(&f.even, "even", 0, fmt.Sprintf("only play openings that a search of this many simulations, at least %d, rates even", minEven))
	flags.Var(cli.Threads(&s.AtOnce, 1), "at-once", "games at a time")
	flags.DurationVar(&s.PerMove, "move-time", 0, "time of each move; without it bots decide themselves")
	flags.DurationVar(&f.limit, "for", 0, "stop after this time, with the games finished by then")
	flags.Float64SliceVar(&f.sprt, "sprt", nil, "stop when a sequential test has decided between two differences in Elo, `LOW,HIGH`, as in 0,50")
	flags.Lookup("sprt").DefValue = ""
	flags.StringVar(&f.out, "out", "", "write the games to this .jsonl file, and continue after those in it")
	flags.StringArrayVar(&f.setupA, "setup-a", nil, "GTP `COMMAND` for a before each game (may be repeated)")
	flags.StringArrayVar(&f.setupB, "setup-b", nil, "GTP `COMMAND` for b before each game (may be repeated)")
	flags.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	return cmd
}

func matchHavannah(cmd *cobra.Command, s arena.Series, f matchFlags) error {
	if err := f.complete(&s); err != nil {
		return err
	}
	m := match{series: &s, faults: map[string]map[string]int{}, log: zerolog.Ctx(cmd.Context()), logged: time.Now()}
	if f.sprt != nil {
		m.test = &arena.SPRT{Elo0: f.sprt[0], Elo1: f.sprt[1]}
	}
	var err error
	if m.out, err = openGames(f.out, &s, m.count); err != nil {
		return err
	}
	if m.out != nil {
		defer m.out.Close()
	}
	ctx := cmd.Context()
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	err = m.play(ctx)
	if f.limit > 0 && errors.Is(err, context.DeadlineExceeded) && cmd.Context().Err() == nil {
		err = nil
	}
	if err != nil && cmd.Context().Err() == nil {
		return err
	}
	if m.score.Games() == 0 {
		if err == nil {
			err = fmt.Errorf("no game was finished after %v", f.limit)
		}
		return err
	}
	return errors.Join(m.print(cmd.OutOrStdout(), f.asJSON), err)
}

// complete checks the flags and completes the series.
func (f *matchFlags) complete(s *arena.Series) (err error) {
	switch {
	case f.a == "" || f.b == "":
		return usererr.Usagef("--a and --b: a match is between two bots")
	case s.Games < 2 || s.Games%2 != 0:
		return usererr.Usagef("--games: %d is not an even number of games", s.Games)
	case f.even > 0 && f.even < minEven:
		return usererr.WithHint(usererr.Usagef("--even: %d is less than %d simulations, the minimum", f.even, minEven), "as in --even 20000, which takes about a second an opening")
	case s.Opening < 0 || s.PerMove < 0 || f.limit < 0:
		return usererr.Usagef("--opening, --move-time and --for must not be negative")
	case f.sprt != nil && (len(f.sprt) != 2 || !(f.sprt[0] < f.sprt[1])):
		return usererr.Usagef("--sprt: two differences are needed, the smaller first, as in 0,50")
	}
	s.Rules = registry.RulesNamed(boards.HavannahName)
	s.Options = json.RawMessage(fmt.Sprintf(`{"side":%d}`, f.side))
	if _, err := s.Rules.New(s.Options); err != nil {
		return usererr.Usagef("--side: %v", err)
	}
	if f.even > 0 {
		s.Judge, s.Margin = havannahbot.MCTS{Simulations: int(min(f.even, 1<<30)), Memory: 64 << 20}, evenMargin
	}
	if s.A, err = matchBot(f.a, f.setupA); err != nil {
		return fmt.Errorf("--a: %w", err)
	}
	if s.B, err = matchBot(f.b, f.setupB); err != nil {
		return fmt.Errorf("--b: %w", err)
	}
	if err := memory.Enough("--at-once: the trees", treesOf(s), memory.Available()); err != nil {
		return usererr.WithHint(err, "memory=MIB after a bot makes its trees smaller")
	}
	if s.A.Name == s.B.Name {
		s.A.Name, s.B.Name = s.A.Name+" (a)", s.B.Name+" (b)"
	}
	return nil
}

// match is a match in progress.
type match struct {
	series *arena.Series
	test   *arena.SPRT     // nil for none
	out    *arena.GameFile // nil for none
	score  arena.WinDrawLoss
	faults map[string]map[string]int // numbers of games, by the name of the bot that failed and the reason
	log    *zerolog.Logger
	logged time.Time
}

// play plays the games that are missing.
func (m *match) play(ctx context.Context) error {
	s := m.series
	if m.score.Games() < s.Games {
		if err := s.A.Check(ctx, s.Rules, s.Options); err != nil {
			return fmt.Errorf("--a: %w", err)
		}
		if err := s.B.Check(ctx, s.Rules, s.Options); err != nil {
			return fmt.Errorf("--b: %w", err)
		}
	}
	return s.Play(ctx, m.score.Games(), m.add)
}

// add counts, logs and writes a game. It returns false when the test is decided.
func (m *match) add(g *arena.GameRecord) (more bool, err error) {
	m.count(g)
	if g.Fault != "" {
		loser := m.loser(g)
		if m.faults[loser][g.Fault] == 1 {
			m.log.Warn().Str("bot", loser).Int("game", g.Number).Msg(g.Fault)
		}
		if n := m.score.Games(); n == hopeless && failures(m.faults[loser]) == n {
			return false, usererr.WithHint(fmt.Errorf("%s has failed in each of the first %d games: %s", loser, n, g.Fault),
				"a program may need commands of its own before each game, for its time or its notation: --setup-a, --setup-b")
		}
	}
	if now := time.Now(); now.Sub(m.logged) >= 10*time.Second {
		m.logged = now
		m.log.Info().Int("games", m.score.Games()).Int("of", m.series.Games).Float64("score", m.score.Score()).Msg("playing")
	}
	if m.out != nil {
		if err := m.out.Append(g); err != nil {
			return false, err
		}
	}
	return m.test == nil || m.test.Decided(m.score) == 0, nil
}

// hopeless is the number of games after which a match ends if one bot has failed in all of
// them.
const hopeless = 4

// count counts a game.
func (m *match) count(g *arena.GameRecord) {
	m.score.Add(g.Score)
	if g.Fault == "" {
		return
	}
	loser := m.loser(g)
	if m.faults[loser] == nil {
		m.faults[loser] = map[string]int{}
	}
	m.faults[loser][g.Fault]++
}

// loser returns the name of the bot that lost a game.
func (m *match) loser(g *arena.GameRecord) string {
	if g.Score == 1 {
		return m.series.B.Name
	}
	return m.series.A.Name
}

// failures returns the number of games in which a bot failed, for any reason.
func failures(reasons map[string]int) int {
	n := 0
	for _, games := range reasons {
		n += games
	}
	return n
}

// treesOf returns how many bytes the trees of a series take, of all games at a time.
func treesOf(s *arena.Series) int64 {
	var bytes int64
	for _, c := range []arena.Contestant{s.A, s.B} {
		if t, ok := c.Bot.(havannahbot.MCTS); ok {
			bytes += int64(cmp.Or(t.Memory, havannahbot.DefaultMemory))
		}
	}
	return memory.Saturate(float64(bytes) * float64(min(s.AtOnce, s.Games)))
}

// openGames opens the file of a match's games and calls count with those that it has. It returns
// nil without a name.
func openGames(file string, s *arena.Series, count func(*arena.GameRecord)) (*arena.GameFile, error) {
	if file == "" {
		return nil, nil
	}
	f, err := arena.OpenGameFile(file, s, count)
	switch {
	case errors.Is(err, arena.ErrNotRegular):
		return nil, fmt.Errorf("--out: %w", err)
	case errors.As(err, new(*arena.GameFileError)):
		return nil, usererr.WithHint(err, "give another file, or the bots and settings with which it was begun")
	}
	return f, err
}

// evenMargin is how far from 1/2 an even opening's value may be: from openings between
// 40% and 60%, the player to move wins most games of Havannah on side 5.
const evenMargin = 0.03

// minEven is the least number of simulations that can tell an even opening: with fewer,
// the standard error of a share is more than half of the margin.
const minEven = 1200

// matchBot returns a bot of a match.
func matchBot(text string, setup []string) (arena.Contestant, error) {
	settings, err := registry.Parse(boards.HavannahName, text, setup)
	if err != nil {
		return arena.Contestant{}, err
	}
	bot, err := settings.Bot()
	return arena.Contestant{Name: settings.Name, Bot: bot}, err
}

// print prints the result.
func (m *match) print(w io.Writer, asJSON bool) error {
	s, standing, test, faults := m.series, m.score, m.test, m.faults
	low, high := standing.Interval95()
	decided := ""
	if test != nil {
		decided = map[int]string{1: "second", -1: "first", 0: "open"}[test.Decided(standing)]
	}
	if asJSON {
		failed := map[string]int{}
		for name, reasons := range faults {
			failed[name] = failures(reasons)
		}
		elo := func(score float64) any { // JSON has no infinity
			if e := stats.Elo(score); !math.IsInf(e, 0) {
				return e
			}
			return nil
		}
		return json.NewEncoder(w).Encode(map[string]any{
			"a": s.A.Name, "b": s.B.Name, "games": standing.Games(), "wins": standing.Wins, "draws": standing.Draws, "losses": standing.Losses,
			"score": standing.Score(), "low": low, "high": high, "elo": elo(standing.Score()), "elo_low": elo(low), "elo_high": elo(high),
			"sprt": decided, "faults": failed, "reasons": faults,
		})
	}
	fmt.Fprintf(w, "%s against %s, %s: %d won, %d drawn, %d lost\n", s.A.Name, s.B.Name, figures.Counted(standing.Games(), "game", "games"), standing.Wins, standing.Draws, standing.Losses)
	fmt.Fprintf(w, "score %.1f%% (95%% interval %.1f%% to %.1f%%), Elo %+.0f (%+.0f to %+.0f)\n",
		100*standing.Score(), 100*low, 100*high, stats.Elo(standing.Score()), stats.Elo(low), stats.Elo(high))
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		fmt.Fprintf(w, "%s failed in %s\n", name, figures.Counted(failures(faults[name]), "game", "games"))
		for _, reason := range slices.Sorted(maps.Keys(faults[name])) {
			fmt.Fprintf(w, "  in %d: %s\n", faults[name][reason], reason)
		}
	}
	switch decided {
	case "first":
		fmt.Fprintf(w, "SPRT: %+.0f Elo, not %+.0f\n", test.Elo0, test.Elo1)
	case "second":
		fmt.Fprintf(w, "SPRT: %+.0f Elo, not %+.0f\n", test.Elo1, test.Elo0)
	case "open":
		fmt.Fprintf(w, "SPRT: neither %+.0f nor %+.0f Elo is decided yet\n", test.Elo0, test.Elo1)
	}
	return nil
}
