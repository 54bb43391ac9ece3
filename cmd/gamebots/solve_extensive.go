package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/gametree"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
	"gamebots/solvers/nash/game"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// The exact methods of solve extensive. The others are variants of CFR.
const (
	bySubgames = "subgames"
	bySequence = "sequence"
)

// isExact reports whether a method is one of them.
func isExact(method string) bool { return method == bySubgames || method == bySequence }

// extensiveFlags are the flags of solve extensive.
type extensiveFlags struct {
	method     string
	iterations uint64
	seed       uint64
	cards      string
	actions    string
	write      string
	force      bool
	json       bool
}

func newSolveExtensive() *cobra.Command {
	var f extensiveFlags
	cmd := &cobra.Command{
		Use:   "extensive GAME",
		Short: "Find a subgame perfect equilibrium of an extensive game",
		Long: `extensive finds an equilibrium of a game with moves, chance and information
sets. GAME is a file in Gambit's .efg format ("-" is standard input), or a poker
game: the name of a shipped one, or a game definition.

The default method, subgames, finds a subgame perfect equilibrium, exactly. In
each subgame at most two players may decide. sequence solves the whole game at
once, by its sequence form; its equilibrium need not be subgame perfect. Both
need perfect recall, and prove the result by the definition, in fractions.

The other methods are variants of counterfactual regret minimisation, for any
number of players, in a number of --iterations. What each player could still
gain by a best response is computed in fractions; in two-player zero-sum games
it tends to 0.

--write writes the game to a file instead of solving it: as .efg, or as .nfg in
its reduced normal form, of which solve nash finds all equilibria.

The output has the strategy at each information set. With --json there is one
object: {"players", "strategies": [{"player", "set", "actions",
"probabilities"}], "payoffs", "gains", ...}.

More: docs/extensive.md`,
		Example: `  gamebots solve extensive game.efg
  gamebots solve extensive game.efg --method sequence --json
  gamebots solve extensive leduc
  gamebots solve extensive leduc --method cfr+ --iterations 2000
  gamebots solve extensive kuhn --write kuhn.efg
  gamebots solve extensive game.efg --write game.nfg`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", bySubgames, "subgames or sequence, which are exact; or CFR: "+strings.Join(tabular.Algorithms(), ", "))
	flags.Uint64Var(&f.iterations, "iterations", 1000, "iterations of CFR")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of external and outcome")
	flags.StringVar(&f.cards, "abstraction", abstraction.Lossless.String(), "cards of a poker game: lossless merges deals that differ only in the names of suits, none merges nothing")
	flags.StringVar(&f.actions, "actions", "", "raises of a no-limit poker game, as for gamebots train (default fcpa)")
	flags.StringVar(&f.write, "write", "", "write the game to this .efg or .nfg `FILE` instead of solving it")
	cli.AddForce(flags, &f.force)
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	return cmd
}

func (f *extensiveFlags) run(cmd *cobra.Command, name string) error {
	exact := isExact(f.method)
	given := cmd.Flags().Changed
	switch {
	case exact && given("iterations"):
		return usererr.Usagef("--iterations is for methods of CFR")
	case f.iterations == 0:
		return usererr.Usagef("--iterations must be greater than 0")
	case f.method != tabular.External && f.method != tabular.Outcome && given("seed"):
		return usererr.Usagef("--seed is for --method %s and %s", tabular.External, tabular.Outcome)
	}
	g, err := f.open(cmd, name)
	switch {
	case err != nil:
		return err
	case f.write != "":
		return f.writeGame(g)
	case exact:
		return f.solve(cmd, g)
	}
	return f.train(cmd, g)
}

// open reads a game, or makes the tree of a poker game.
func (f *extensiveFlags) open(cmd *cobra.Command, name string) (*extensive.Game, error) {
	var text []byte
	var err error
	stdin := name == "-"
	if stdin {
		name = "standard input"
		text, err = configs.ReadAtMost(cmd.InOrStdin(), name, maxGameBytes)
	} else {
		text, err = configs.ReadFileAtMost(name, maxGameBytes)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !stdin && !extensive.IsEFG(text) && bytes.Contains(text, []byte("GAMEDEF")):
		return f.poker(name)
	case err != nil:
		return nil, err
	case cmd.Flags().Changed("abstraction") || cmd.Flags().Changed("actions"):
		return nil, usererr.Usagef("--abstraction and --actions are for poker games")
	}
	g, err := extensive.Read(name, text)
	if err != nil && bytes.HasPrefix(bytes.TrimSpace(text), []byte("NFG")) {
		err = usererr.WithHint(err, "gamebots solve nash solves games in normal form")
	}
	return g, err
}

// poker makes the tree of a poker game.
func (f *extensiveFlags) poker(name string) (*extensive.Game, error) {
	cards, err := abstraction.ParseKind(f.cards)
	if err != nil {
		return nil, usererr.Usagef("--abstraction: %w", err)
	}
	rules, err := configs.Game(name)
	if err != nil {
		return nil, err
	}
	menu, err := configs.Actions(f.actions)
	if err != nil {
		return nil, err
	}
	actions, err := train.Actions(rules, menu)
	if err != nil {
		return nil, trainingError(err)
	}
	g, err := gametree.Build(rules, actions, cards)
	if errors.Is(err, gametree.ErrTooLarge) || errors.Is(err, extensive.ErrTooManyNodes) {
		err = usererr.WithHint(err, "gamebots train trains it")
	}
	return g, err
}

// writeGame writes the game to the file of --write.
func (f *extensiveFlags) writeGame(g *extensive.Game) error {
	if err := cli.Replaceable(f.write, "--write FILE", f.force); err != nil {
		return err
	}
	switch filepath.Ext(f.write) {
	case ".efg":
		return atomicfile.Write(f.write, g.EFG())
	case ".nfg":
		n, err := reducedNormalForm(g)
		if err != nil {
			return err
		}
		return atomicfile.Write(f.write, n.NFG())
	}
	return usererr.Usagef("--write: %s ends neither in .efg nor in .nfg", f.write)
}

// reducedNormalForm returns the reduced normal form of a game.
func reducedNormalForm(g *extensive.Game) (*game.NormalForm, error) {
	q, err := g.Sequences()
	if err != nil {
		return nil, err
	}
	n, err := q.NormalForm()
	if errors.Is(err, extensive.ErrTooLarge) {
		err = usererr.WithHint(err, "gamebots solve extensive finds an equilibrium without it")
	}
	return n, err
}

// solve finds an equilibrium exactly, and prints it.
func (f *extensiveFlags) solve(cmd *cobra.Command, g *extensive.Game) error {
	s, err := sequence.Solve(cmd.Context(), g, f.method == bySequence)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped before an equilibrium was found")
	case errors.As(err, new(*sequence.PlayersError)), errors.Is(err, sequence.ErrTooLarge):
		return usererr.WithHint(err, "--method "+tabular.Algorithms()[0]+" trains strategies for such games")
	case err != nil:
		return err
	}
	zero := make([]*big.Rat, len(g.Players))
	for p := range zero {
		zero[p] = new(big.Rat)
	}
	return f.print(cmd.OutOrStdout(), &extensiveResult{
		game: g, method: f.method, profile: s.Profile, payoffs: s.Payoffs, gains: zero,
		subgames: s.Subgames, number: func(x *big.Rat) string { return x.RatString() },
	})
}

// train improves strategies by CFR, and prints them with what best responses gain. After
// Ctrl-C it prints those so far.
func (f *extensiveFlags) train(cmd *cobra.Command, g *extensive.Game) error {
	q, err := g.Sequences()
	if err != nil {
		return err
	}
	t, err := tabular.New(q, f.method, f.seed)
	if errors.Is(err, tabular.ErrPayoffs) {
		return usererr.WithHint(err, "--method "+bySubgames+" and "+bySequence+" compute in fractions")
	}
	if err != nil {
		return usererr.Usagef("--method: %w, or %s or %s", err, bySubgames, bySequence)
	}
	ctx := cmd.Context()
	watch := progress.NewCount(cmd.ErrOrStderr(), "iterations", func(done string) {
		zerolog.Ctx(ctx).Info().Str("iterations", done).Msg("training")
	}, f.iterations)
	for t.Iterations < f.iterations && ctx.Err() == nil {
		t.Step()
		watch.Update(t.Iterations)
	}
	watch.Close()
	profile := t.Profile()
	gains, err := q.Gains(context.WithoutCancel(ctx), profile, false) // what an interrupted training has reached, too
	if err != nil {
		return err
	}
	r := &extensiveResult{
		game: g, method: f.method, profile: profile, gains: gains, iterations: t.Iterations,
		number: func(x *big.Rat) string { y, _ := x.Float64(); return strconv.FormatFloat(y, 'g', 6, 64) },
	}
	for _, values := range g.Values(profile) {
		r.payoffs = append(r.payoffs, values[0])
	}
	if err := f.print(cmd.OutOrStdout(), r); err != nil {
		return err
	}
	if ctx.Err() != nil && t.Iterations < f.iterations {
		return fmt.Errorf("stopped after %d of %d iterations", t.Iterations, f.iterations)
	}
	return nil
}
