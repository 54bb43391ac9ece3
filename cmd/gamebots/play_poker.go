package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"gamebots/acpc/dealer"
	"gamebots/acpc/money"
	"gamebots/bots/files"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/bots/poker/tty"
	"gamebots/bots/spotstudy"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pokerFlags are the flags of play poker.
type pokerFlags struct {
	against   string
	style     poker.Style
	solve     solvingFlags
	device    cudalib.Choice
	hands     uint32
	seed      uint32
	name, log string
	force     bool
	review    bool
	color     cli.Colour
	unit      money.Unit
}

func newPlayPoker() *cobra.Command {
	f := pokerFlags{hands: 1000, name: "you", device: cudalib.CPU()}
	cmd := command("play_poker", "poker [GAME]", "Play poker yourself, against a strategy", cli.Arguments(0, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return printTables(cmd.OutOrStdout())
		}
		if files.IsStrategy(args[0]) {
			return f.playSpot(cmd, args[0])
		}
		if err := f.check(cmd); err != nil {
			return err
		}
		return f.play(cmd, args[0])
	}
	flags := cmd.Flags()
	f.solve.Add(flags, "the others solve")
	f.solve.AddTime(flags)
	cli.Bind(cmd, "against", &f.against, "purify", &f.style.Purify, "threshold", cli.Probability(&f.style.Threshold),
		"device", &f.device, "hands", &f.hands, "seed", &f.seed, "name", &f.name, "log", &f.log, "force", &f.force,
		"review", &f.review, "color", &f.color, "unit", &f.unit)
	return cmd
}

// check refuses flags that cannot be combined.
func (f *pokerFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if _, err := poker.NewOpponent(f.against, 0); err == nil {
		for _, name := range []string{"purify", "threshold", "review", "solve"} {
			if flags.Changed(name) {
				return usererr.Usagef("--%s has no effect on the opponent %s, which has no strategy", name, f.against)
			}
		}
	}
	if err := errors.Join(f.solve.Check(flags), f.solve.CheckDevice(flags.Changed)); err != nil {
		return err
	}
	switch {
	case f.hands < 1:
		return usererr.Usagef("--hands %d: want at least 1", f.hands)
	case !validName(f.name):
		return usererr.Usagef("--name: a name in a log must not be empty or contain | or :")
	}
	if f.log == "" {
		return nil
	}
	if err := cli.Replaceable(f.log, "", f.force); err != nil {
		return err
	}
	return cli.Writable(f.log, "--log")
}

// printTables lists what a person can play.
func printTables(w io.Writer) error {
	list := func(names []string) string { return cli.Wrap(cmp.Or(strings.Join(names, ", "), "none here"), "  ") }
	_, err := fmt.Fprintf(w, `Games with a strategy that comes along, as in gamebots play poker holdem-limit-2p:
%s
All games, which gamebots games explains, as in
gamebots play poker leduc --against random:
%s
Opponents, for --against: the FILE of a strategy, which gamebots train GAME
writes, or random, call, raise, allin or fold, who ignore their cards.
`, list(configs.Strategies()), list(configs.Games()))
	return err
}

// validName reports whether a dealer's log can have the name of a player.
func validName(name string) bool { return name != "" && !strings.ContainsAny(name, "|:\n\r") }

// play plays the match and prints its result.
func (f *pokerFlags) play(cmd *cobra.Command, name string) error {
	game, err := configs.Game(name)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		f.seed = uint32(drawSeed())
	}
	names := tty.Names(f.name, game.NumPlayers)
	if slices.Contains(names[1:], f.name) {
		return usererr.Usagef("--name: %s is the name of a bot", f.name)
	}
	b, err := f.open(cmd, name)
	if err != nil {
		return err
	}
	defer func() {
		if b.policy != nil && cmd.Context().Err() == nil { // or a decision that was given up still reads it
			b.policy.Close()
		}
	}()
	out := cmd.OutOrStdout()
	m := &tty.Match{
		Dealer: dealer.Match{
			Name: "play", GameFile: name, Game: game, Hands: f.hands, Seed: f.seed, Names: names,
			Limits: dealer.DefaultLimits,
		},
		Person: &tty.Person{
			ReadLine: cli.LineReader(cmd.Context(), cmd.InOrStdin()), Out: out, Colour: f.color.On(out),
		},
		Log: f.log,
	}
	m.Person.Name = m.NameAt
	if m.Winnings, err = f.unit.In(game); err != nil {
		return usererr.Usage(err)
	}
	if f.review {
		if m.Review, err = browse.New(b.policy, runtime.NumCPU()); err != nil {
			return err
		}
	}
	for seat := range names[1:] {
		bot, err := b.player(uint64(seat))
		if err != nil {
			return err
		}
		if b.solving.Iterations > 0 {
			thinking := &tty.Thinking{Player: bot, Name: m.NameAt}
			if cli.UnderstandsEscapes(out) {
				thinking.Out = out
			}
			bot = thinking
		}
		m.Bots = append(m.Bots, bot)
	}
	zerolog.Ctx(cmd.Context()).Info().Str("game", game.Name).Str("against", b.from).Uint32("seed", f.seed).Msg("seated")
	if err := m.Play(cmd.Context()); err != nil && cmd.Context().Err() == nil {
		return err
	}
	hands, chips := m.Result()
	fmt.Fprint(out, "\n"+resultLine(hands, chips, m.Winnings))
	if b.policy != nil && hands > 0 && game.NumPlayers == 2 && cmd.Context().Err() == nil {
		err = b.printWithoutLuck(cmd, m)
	}
	if f.log == "" || hands == 0 {
		return err
	}
	words := []string{"convert", f.log, strings.TrimSuffix(f.log, ".log") + ".phhs"}
	if !strings.HasSuffix(f.log, ".log") {
		words = append(words, "--from", "acpc")
	}
	return cli.Next(cmd, err, words...)
}

// open opens the bots of a game that a user named.
func (f *pokerFlags) open(cmd *cobra.Command, name string) (*pokerBot, error) {
	b := configs.Bot{
		Kind: f.against, Game: name, Seed: uint64(f.seed) + 1, Purify: f.style.Purify, Threshold: f.style.Threshold,
		Solve: f.solve.Iterations, SolveFrom: f.solve.From, SolveTime: f.solve.Time, Device: f.device.String(),
	}
	if _, err := poker.NewOpponent(f.against, 0); err != nil {
		b.Kind, b.Strategy = "strategy", f.against
	}
	bot, err := openBot(cmd, b, nil)
	if errors.As(err, new(*configs.NoStrategyError)) {
		err = usererr.WithHint(err, usererr.Hint(err)+"; then add --against FILE")
	}
	return bot, usererr.HintIf(err, fs.ErrNotExist, "--against takes the file of a strategy, a game that "+
		"comes with one, as holdem-limit-2p, or random, call, raise, allin or fold")
}

// printWithoutLuck prints an estimate of what the person has won.
func (o *pokerBot) printWithoutLuck(cmd *cobra.Command, m *tty.Match) error {
	estimator, err := o.estimator()
	if err != nil {
		fmt.Fprintf(cmd.OutOrStdout(), "without luck it is not known: %v\n", err)
		return nil
	}
	bar := cli.NewPartBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "estimating")
	defer bar.Close()
	defer bar.Tick()()
	e, err := m.Estimate(cmd.Context(), estimator, runtime.NumCPU())
	if err != nil {
		return err
	}
	won := m.Winnings.Within(-e.Estimated.Mean(), e.Estimated.Interval95())
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "without luck about %s\n", m.Winnings.AHand(won))
	return err
}

// estimator returns the estimator of what an opponent has won.
func (o *pokerBot) estimator() (*aivat.Estimator, error) {
	if o.solving.Time > 0 {
		return nil, errors.New("rounds solved in a given time cannot be solved again")
	}
	known, err := resolving.ForAIVAT(o.policy, o.style, o.solving)
	if err != nil {
		return nil, err
	}
	return aivat.New(known, known, false)
}

// playSpot plays hands of a spot that solve poker has saved.
func (f *pokerFlags) playSpot(cmd *cobra.Command, file string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "hands", "seed", "review", "color", "log-level":
		default:
			err = usererr.Usagef("--%s has no effect on a saved spot, whose solution plays and judges", flag.Name)
		}
	})
	if err != nil {
		return err
	}
	s, err := spot.OpenSaved(file, runtime.NumCPU(), memory.Available())
	if e, ok := errors.AsType[*spot.StrategyError](err); ok {
		return usererr.WithHint(err, "gamebots play poker "+cli.CommandLine(e.Game, "--against", file)+" plays it")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if !cmd.Flags().Changed("seed") {
		f.seed = uint32(drawSeed())
	}
	zerolog.Ctx(cmd.Context()).Info().Str("spot", file).Uint32("seed", f.seed).Msg("seated")
	p := &spotstudy.Practice{
		Solution: s, Out: cmd.OutOrStdout(), ReadLine: cli.LineReader(cmd.Context(), cmd.InOrStdin()),
		Random: rand.New(rand.NewPCG(uint64(f.seed), 0)), Hands: int(f.hands),
	}
	return p.Play()
}
