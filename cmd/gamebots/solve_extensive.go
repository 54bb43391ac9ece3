package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// exactMethods lists the methods that compute in fractions. The others are variants of CFR.
func exactMethods() string {
	var all []string
	for _, m := range sequence.Methods() {
		all = append(all, string(m))
	}
	return strings.Join(all, ", ")
}

// extensiveFlags are the flags of solve extensive.
type extensiveFlags struct {
	method     string
	iterations uint64
	seed       uint64
	cards      string
	actions    string
	distance   string
	source     string // name of the game
	write      string
	force      bool
	json       bool
}

func newSolveExtensive() *cobra.Command {
	f := extensiveFlags{
		method: string(sequence.Subgames), iterations: 1000, seed: 1, cards: abstraction.Lossless.String(),
	}
	cmd := command("solve_extensive", "extensive GAME",
		"Find a subgame perfect equilibrium of an extensive game", cli.Arguments(1, 1), "EXACT", exactMethods(),
		"CFR", tabular.Algorithms())
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) }
	cli.Bind(cmd, "method", &f.method, "iterations", &f.iterations, "seed", &f.seed, "abstraction", &f.cards,
		"actions", &f.actions, "distance", &f.distance, "write", &f.write, "force", &f.force, "json", &f.json)
	return cmd
}

func (f *extensiveFlags) run(cmd *cobra.Command, name string) error {
	exact := slices.Contains(sequence.Methods(), sequence.Method(f.method))
	given := cmd.Flags().Changed
	switch {
	case exact && given("iterations"):
		return usererr.Usagef("--iterations is for methods of CFR")
	case f.iterations == 0:
		return usererr.Usagef("--iterations must be greater than 0")
	case f.method != tabular.External && given("seed"):
		return usererr.Usagef("--seed is for --method %s", tabular.External)
	case f.distance != "" && (given("method") || f.write != ""):
		return usererr.Usagef("--distance cannot be combined with --method and --write")
	}
	if name != "-" {
		f.source = name
	}
	g, err := f.open(cmd, name)
	switch {
	case err != nil:
		return err
	case f.write != "":
		return f.writeGame(g)
	case f.distance != "":
		return f.judge(cmd, g)
	case exact:
		return f.solve(cmd, g)
	}
	return f.train(cmd, g)
}

// judge computes exactly how far a given profile is from an equilibrium.
func (f *extensiveFlags) judge(cmd *cobra.Command, g *extensive.Game) (err error) {
	r := &extensive.Report{Game: g, Method: "given", Given: true}
	if r.Profile, err = profileOf(f.distance, g); err != nil {
		return err
	}
	q, err := g.Sequences()
	if err != nil {
		return hintRecall(err)
	}
	if r.Gains, err = q.Gains(cmd.Context(), r.Profile, false); err != nil {
		return usererr.HintIf(err, context.Canceled,
			"gamebots evaluate computes the same in floats, thousands of times as fast")
	}
	for _, values := range g.Values(r.Profile) {
		r.Payoffs = append(r.Payoffs, values[0])
	}
	return cli.Print(cmd.OutOrStdout(), f.json, r)
}

// open reads a game, or makes the tree of a poker game.
func (f *extensiveFlags) open(cmd *cobra.Command, name string) (*extensive.Game, error) {
	tree, err := openTree(cmd, name)
	if err != nil {
		return nil, err
	}
	var file string
	var text []byte
	if tree == nil {
		file, text, err = readGame(cmd.InOrStdin(), name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && tree == nil && name != "-" && !extensive.IsEFG(text) &&
		bytes.Contains(text, []byte("GAMEDEF")):
		return f.poker(name)
	case err != nil:
		return nil, err
	case cmd.Flags().Changed("abstraction") || cmd.Flags().Changed("actions"):
		return nil, usererr.Usagef("--abstraction and --actions are for poker games")
	case tree != nil:
		return tree.Game, nil
	}
	g, err := extensive.Read(file, text)
	switch {
	case err == nil:
		warnRead(cmd, g.Warning)
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("NFG")):
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
	g, err := tabular.OfPoker(rules, actions, cards)
	if errors.Is(err, tabular.ErrTooLarge) || errors.Is(err, extensive.ErrTooManyNodes) {
		err = usererr.WithHint(err, trainCommand(rules, name)+" trains it")
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
		n, err := g.NormalForm()
		if err != nil {
			return hintReduced(err)
		}
		return atomicfile.Write(f.write, n.NFG())
	}
	return usererr.Usagef("--write: %s ends neither in .efg nor in .nfg", f.write)
}

// solve finds an equilibrium exactly, and prints it.
func (f *extensiveFlags) solve(cmd *cobra.Command, g *extensive.Game) error {
	method := sequence.Method(f.method)
	s, err := sequence.Solve(cmd.Context(), g, method)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted before an equilibrium was found")
	case errors.As(err, new(*sequence.PlayersError)), errors.Is(err, sequence.ErrTooLarge):
		return usererr.WithHint(err, "--method "+tabular.Algorithms()[0]+" trains strategies for such games")
	case err != nil:
		return hintRecall(err)
	}
	r := &extensive.Report{
		Game: g, Source: f.source, Method: f.method, Profile: s.Profile, Payoffs: s.Payoffs,
		Exact: true, Perfect: method != sequence.Whole, Subgames: s.Subgames,
	}
	for range g.Players {
		r.Gains = append(r.Gains, new(big.Rat))
	}
	return cli.Print(cmd.OutOrStdout(), f.json, r)
}

// hintRecall adds a hint to the error of a game without perfect recall.
func hintRecall(err error) error {
	if errors.As(err, new(*extensive.RecallError)) {
		err = usererr.WithHint(err, "gamebots solve nash finds the equilibria of its normal form, in which two "+
			"players choose a strategy before the game")
	}
	return err
}

// train improves strategies by CFR, and prints them with what best responses gain. After
// Ctrl-C it prints those so far.
func (f *extensiveFlags) train(cmd *cobra.Command, g *extensive.Game) error {
	ctx := cmd.Context()
	defer shutdown.Inhibit("computing what best responses gain")()
	watch := cli.NewCountBar(cmd.ErrOrStderr(), zerolog.Ctx(ctx), "training", f.iterations)
	tree := &train.Tree{Game: g, Source: f.source}
	r, err := tree.Train(ctx, f.method, f.seed, f.iterations, watch.Update)
	watch.Close()
	switch {
	case errors.As(err, new(*extensive.RecallError)):
		return hintRecall(err)
	case errors.Is(err, tabular.ErrPayoffs):
		return usererr.WithHint(err, "these methods compute in fractions: "+exactMethods())
	case err != nil:
		return usererr.Usagef("--method %s: %w; exact ones are %s", f.method, err, exactMethods())
	}
	if err := cli.Print(cmd.OutOrStdout(), f.json, r); err != nil {
		return err
	}
	if ctx.Err() != nil && r.Iterations < f.iterations {
		return fmt.Errorf("interrupted after %d of %d iterations", r.Iterations, f.iterations)
	}
	return nil
}
