package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"runtime"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/poker"
	"gamebots/bots/poker/terminal"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// pokerFlags are the flags of play poker.
type pokerFlags struct {
	against   string
	style     poker.Style
	solve     strategies.SolvingFlags
	device    cudalib.Choice
	hands     uint32
	seed      uint32
	name, log string
	force     bool
	review    bool
	color     cli.Colour
}

func newPlayPoker() *cobra.Command {
	f := pokerFlags{device: cudalib.CPU()}
	cmd := explain(&cobra.Command{
		Use:   "poker GAME",
		Short: "Play poker yourself, against a strategy",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			return f.play(cmd, args[0])
		},
	}, "play_poker")
	flags := cmd.Flags()
	flags.StringVar(&f.against, "against", "", "the others' strategy `FILE`, or random, call, raise or fold (default the strategy that comes with the program)")
	flags.BoolVar(&f.style.Purify, "purify", false, "the others always play their strategy's most probable action")
	flags.Var(cli.Probability(&f.style.Threshold), "threshold", "the others do not play actions with a smaller probability")
	f.solve.Add(flags, "the others solve")
	f.solve.AddTime(flags)
	cli.AddDevice(flags, &f.device, "solve turns there: auto, cpu, cuda or cuda:N; for no-limit hold'em")
	flags.Uint32Var(&f.hands, "hands", 1000, "end after `N` hands")
	flags.Uint32Var(&f.seed, "seed", 0, "seed of the cards and of the others' choices (default a random one)")
	flags.StringVar(&f.name, "name", "you", "your name in the log")
	flags.StringVar(&f.log, "log", "", "keep the hands in this `FILE`, as a dealer's log")
	flags.BoolVar(&f.force, "force", false, "replace the file of --log")
	flags.BoolVar(&f.review, "review", false, "show what the strategy says of your decisions, after each hand")
	flags.Var(&f.color, "color", "colours: auto, always or never")
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
	if err := errors.Join(f.solve.Check(flags), f.solve.CheckDevice(flags)); err != nil {
		return err
	}
	switch {
	case f.hands < 1:
		return usererr.Usagef("--hands %d: want at least 1", f.hands)
	case f.force && f.log == "":
		return usererr.Usagef("--force has no effect without --log")
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

// validName reports whether a dealer's log can have the name of a player.
func validName(name string) bool { return name != "" && !strings.ContainsAny(name, "|:\n\r") }

// pokerTable is a match of a person against bots.
type pokerTable struct {
	*pokerFlags
	cmd      *cobra.Command
	solving  poker.Solving // of the others
	match    dealer.Match
	person   *terminal.Person
	policy   *policy.Policy // the bots', or nil
	strategy *browse.Strategy
	hands    []acpc.State
	lines    []byte // of the log
	score    []float64
}

// play plays the match and prints its result.
func (f *pokerFlags) play(cmd *cobra.Command, name string) error {
	game, err := configs.Game(name)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		f.seed = uint32(drawSeed())
	}
	t := &pokerTable{pokerFlags: f, cmd: cmd, score: make([]float64, game.NumPlayers)}
	t.match = dealer.Match{Name: "play", GameFile: name, Game: game, Hands: f.hands, Seed: f.seed, Names: []string{f.name}, Limits: dealer.DefaultLimits}
	out := cmd.OutOrStdout()
	t.person = &terminal.Person{ReadLine: cli.LineReader(cmd.Context(), cmd.InOrStdin()), Out: out, Colour: f.color.On(out), Name: t.nameAt}
	players := []acpc.Player{t.person}
	defer func() {
		if t.policy != nil && cmd.Context().Err() == nil { // a decision that was given up still reads it
			t.policy.Close()
		}
	}()
	if err := t.open(game); err != nil {
		return err
	}
	for len(players) < game.NumPlayers {
		n := len(players)
		name := "bot" + strconv.Itoa(n)
		if name == f.name {
			return usererr.Usagef("--name: %s is the name of a bot", name)
		}
		t.match.Names = append(t.match.Names, name)
		bot, err := t.bot(uint64(f.seed) + uint64(n))
		if err != nil {
			return err
		}
		players = append(players, bot)
	}
	zerolog.Ctx(cmd.Context()).Info().Str("game", game.Name).Str("against", f.against).Uint32("seed", f.seed).Msg("seated")
	if _, err := t.match.Play(players, t.handOver); err != nil && !errors.Is(err, terminal.ErrQuit) && cmd.Context().Err() == nil {
		return err
	}
	return t.printResult(out)
}

// open opens the strategy of the bots, if they have one.
func (t *pokerTable) open(game *acpc.Game) error {
	if _, err := poker.NewOpponent(t.against, 0); err == nil {
		return nil
	}
	if t.against == "" {
		file, err := strategies.Shipped(game)
		if err != nil {
			return err
		}
		t.against = file
	}
	var err error
	if t.solving, err = strategies.OnDevice(t.cmd, t.solve.Poker(), t.device); err != nil {
		return err
	}
	p, err := strategies.OpenSolved(t.cmd, t.against, t.solving, memory.Available())
	if errors.Is(err, fs.ErrNotExist) {
		err = usererr.WithHint(err, "--against takes the file of a strategy, or random, call, raise or fold")
	}
	if err != nil {
		return err
	}
	t.policy = p
	if err := errors.Join(p.CheckGame(game), p.Verify()); err != nil || !t.review {
		return err
	}
	t.strategy, err = browse.New(p, runtime.NumCPU())
	return err
}

// bot returns one of the others.
func (t *pokerTable) bot(seed uint64) (acpc.Player, error) {
	if t.policy == nil {
		return poker.NewOpponent(t.against, seed)
	}
	bot, err := poker.NewSolver(t.policy, t.style, seed, t.solving)
	if err != nil || t.solving.Iterations == 0 {
		return bot, err
	}
	thinker := interruptiblePlayer{t.cmd.Context(), bot}
	if !cli.UnderstandsEscapes(t.person.Out) {
		return thinker, nil
	}
	return &terminal.Thinking{Player: thinker, Out: t.person.Out, Name: t.nameAt}, nil
}

// An interruptiblePlayer gives up a decision when ctx ends, with the cause as its error.
type interruptiblePlayer struct {
	ctx context.Context
	acpc.Player
}

func (p interruptiblePlayer) Act(m *acpc.MatchState) (acpc.Action, error) {
	state := *m // a decision that is given up still reads it
	return parallel.Await(p.ctx, func() (acpc.Action, error) { return p.Player.Act(&state) })
}

// nameAt returns the name of a position in a hand.
func (t *pokerTable) nameAt(hand uint32, position int) string {
	return t.match.Names[t.match.Seat(hand, position)]
}

// handOver tells the person of a finished hand, and writes the log.
func (t *pokerTable) handOver(s *acpc.State) error {
	position := t.match.Position(s.HandID, 0)
	t.person.HandOver(s, position)
	t.hands = append(t.hands, *s)
	for seat := range t.score {
		t.score[seat] += s.Value(t.match.Position(s.HandID, seat))
	}
	if t.strategy != nil {
		decisions, err := t.strategy.Review(s, position)
		if err != nil {
			return err
		}
		t.printReview(t.person.Out, decisions)
	}
	if t.log == "" {
		return nil
	}
	t.lines = t.match.AppendHand(t.lines, s)
	m := t.match
	m.Hands = uint32(len(t.hands))
	return atomicfile.Write(t.log, m.AppendScore(append(m.AppendHeader(nil), t.lines...), t.score))
}

// printReview prints what the strategy says of decisions.
func (t *pokerTable) printReview(w io.Writer, decisions []browse.Decision) {
	blind := float64(t.match.Game.MaxBlind())
	for _, d := range decisions {
		where := d.Betting
		if where == "" {
			where = "the start"
		}
		if d.Probabilities == nil {
			fmt.Fprintf(w, "  after %s, %s: the strategy has no such decision\n", where, d.Played)
			continue
		}
		var items []string
		for a, p := range d.Probabilities {
			if p >= 0.005 {
				items = append(items, fmt.Sprintf("%s %.0f%%", d.Actions[a].Name, 100*p))
			}
		}
		lost := ""
		if d.Lost != nil && blind > 0 {
			lost = fmt.Sprintf("; it loses %.0f mb", 1000**d.Lost/blind)
		}
		fmt.Fprintf(w, "  after %s, %s: the strategy plays %s%s\n", where, d.Played, strings.Join(items, ", "), lost)
	}
}

// printResult prints what the person has won, and without luck.
func (t *pokerTable) printResult(w io.Writer) error {
	fmt.Fprint(w, "\n"+resultLine(len(t.hands), t.score[0], t.match.Game))
	if t.policy == nil || len(t.hands) == 0 || t.match.Game.NumPlayers != 2 || t.cmd.Context().Err() != nil {
		return nil
	}
	estimator, err := t.estimator()
	if err != nil {
		fmt.Fprintf(w, "without luck it is not known: %v\n", err)
		return nil
	}
	e, err := t.estimate(estimator)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "without luck about %s a hand\n", figures.ChipsWithin(-e.Estimated.Mean(), e.Estimated.Interval95(), t.match.Game))
	return err
}

// estimator returns the estimator of what the bot has won.
func (t *pokerTable) estimator() (*aivat.Estimator, error) {
	if t.solving.Time > 0 {
		return nil, errors.New("rounds solved in a given time cannot be solved again")
	}
	if t.solving.Iterations > 0 {
		known, err := poker.ForEstimates(t.policy, t.style, t.solving)
		if err != nil {
			return nil, err
		}
		return aivat.New(known, known, false, runtime.NumCPU(), nil)
	}
	if aivat.NeedsBuckets(t.policy.Index) { // of many buckets a person's hands need but few
		if err := strategies.FillBuckets(t.cmd, t.policy, runtime.NumCPU()); err != nil {
			return nil, err
		}
	}
	known, err := aivat.OpenStrategy(t.policy, t.style.Apply)
	if err != nil {
		return nil, err
	}
	return cli.Phase(t.cmd, "preparing values", func(progress func(part float64)) (*aivat.Estimator, error) {
		return aivat.New(known, known, false, runtime.NumCPU(), progress)
	})
}

// estimate estimates what the bot has won. That takes as long as the bot has thought.
func (t *pokerTable) estimate(estimator *aivat.Estimator) (ratings.Estimate, error) {
	bar := cli.NewPartBar(t.cmd.ErrOrStderr(), zerolog.Ctx(t.cmd.Context()), "estimating")
	defer bar.Close()
	defer bar.Tick()()
	return ratings.EstimateHands(t.cmd.Context(), estimator, runtime.NumCPU(), t.played())
}

// played returns the hands as the bot has played them.
func (t *pokerTable) played() iter.Seq2[ratings.Played, error] {
	return func(yield func(ratings.Played, error) bool) {
		for i := range t.hands {
			s := &t.hands[i]
			if !yield(ratings.Played{State: s, Position: t.match.Position(s.HandID, 1), Deal: strconv.Itoa(i)}, nil) {
				return
			}
		}
	}
}
