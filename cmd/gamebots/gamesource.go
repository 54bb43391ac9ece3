package main

import (
	"slices"
	"strconv"
	"strings"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/game"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A gameSource is where a game in normal form comes from: a file, or a generator.
type gameSource struct {
	generate  string
	size      string
	low, high int64
	seed      uint64
}

func (f *gameSource) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.generate, "generate", "", "generate a game of this family instead of reading one")
	flags.StringVar(&f.size, "size", "", "strategies of a generated game, as 12, 6x9, or 3x3x3 for a RandomGame or PolymatrixGame")
	flags.Int64Var(&f.low, "low", 0, "smallest payoff of a random game")
	flags.Int64Var(&f.high, "high", 1000000, "largest payoff of a random game")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of a random game")
}

// normalForm returns a game of any number of players. Extensive games are reduced.
func (f *gameSource) normalForm(cmd *cobra.Command, args []string) (*game.NormalForm, error) {
	if sizes := strings.Split(f.size, "x"); f.generate == polymatrixGame && len(args) == 0 {
		return f.random(game.Polymatrix, sizes)
	} else if f.generate == "RandomGame" && len(args) == 0 && len(sizes) > 2 {
		return f.random(game.Random, sizes)
	}
	if f.generate != "" && len(args) == 0 {
		g, err := f.generated(cmd)
		if err != nil {
			return nil, err
		}
		return g.NormalForm(), nil
	}
	file, text, err := f.text(cmd, args)
	if err != nil {
		return nil, err
	}
	if !extensive.IsEFG(text) {
		return game.ReadNormalForm(file, text)
	}
	g, err := extensive.Read(file, text)
	if err != nil {
		return nil, err
	}
	return reducedNormalForm(g)
}

// generatorFlags say what to generate.
var generatorFlags = []string{"size", "low", "high", "seed"}

// text reads the file that the arguments name.
func (f *gameSource) text(cmd *cobra.Command, args []string) (file string, text []byte, err error) {
	switch {
	case (f.generate == "") == (len(args) == 0):
		return "", nil, usererr.Usagef("give either a file or --generate with a family")
	case slices.ContainsFunc(generatorFlags, cmd.Flags().Changed):
		return "", nil, usererr.Usagef("--%s are for --generate", strings.Join(generatorFlags, ", --"))
	case args[0] == "-":
		text, err = configs.ReadAtMost(cmd.InOrStdin(), "standard input", maxGameBytes)
		return "standard input", text, err
	}
	text, err = configs.ReadFileAtMost(args[0], maxGameBytes)
	return args[0], text, err
}

// maxGameBytes exceeds the size of any game that can be solved.
const maxGameBytes = 16 << 20

// generated generates the game.
func (f *gameSource) generated(cmd *cobra.Command) (*game.Game, error) {
	if err := f.checkRange(); err != nil {
		return nil, err
	}
	rows, cols, err := parseSize(f.size)
	if err != nil {
		return nil, err
	}
	g, err := game.Generate(game.Recipe{Family: f.generate, Rows: rows, Cols: cols, Seed: f.seed, Low: f.low, High: f.high})
	if err != nil {
		return nil, usererr.WithHint(usererr.Usagef("--generate: %w", err), "gamebots solve nash --families lists families; --size sets the number of strategies, --low and --high the range of payoffs")
	}
	for _, x := range []struct {
		flag string
		used bool
	}{{"seed", game.UsesSeed(f.generate)}, {"low", game.UsesRange(f.generate)}, {"high", game.UsesRange(f.generate)}} {
		if cmd.Flags().Changed(x.flag) && !x.used {
			return nil, usererr.Usagef("--%s has no effect on games of the family %s", x.flag, f.generate)
		}
	}
	return g, nil
}

// checkRange refuses a range with a single payoff, which tells strategies not apart.
func (f *gameSource) checkRange() error {
	if f.low == f.high {
		return usererr.Usagef("--low, --high: payoffs from %d to %d are all the same", f.low, f.high)
	}
	return nil
}

// polymatrixGame is a family of games of any number of players only.
const polymatrixGame = "PolymatrixGame"

// random generates a random game of a number of strategies for each player.
func (f *gameSource) random(generate func(seed uint64, low, high int64, sizes ...int) (*game.NormalForm, error), sizes []string) (*game.NormalForm, error) {
	if err := f.checkRange(); err != nil {
		return nil, err
	}
	numbers := make([]int, len(sizes))
	for i, word := range sizes {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, usererr.Usagef("--size: %q is not a size like 12, 6x9 or 3x3x3", f.size)
		}
		numbers[i] = n
	}
	g, err := generate(f.seed, f.low, f.high, numbers...)
	if err != nil {
		return nil, usererr.Usagef("--size: %w", err)
	}
	return g, nil
}

// parseSize parses numbers of strategies: one for both players, or two.
func parseSize(s string) (rows, cols int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	first, second, two := strings.Cut(s, "x")
	rows, err = strconv.Atoi(first)
	cols = rows
	if err == nil && two {
		cols, err = strconv.Atoi(second)
	}
	if err != nil || rows < 1 || cols < 1 || max(rows, cols) > game.MaxStrategies {
		return 0, 0, usererr.Usagef("--size: %q is not a size like 12 or 6x9, of 1 to %d strategies", s, game.MaxStrategies)
	}
	return rows, cols, nil
}
