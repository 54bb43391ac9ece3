package main

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/extensive"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A gameSource is where a game in normal form comes from: a file, or a generator.
type gameSource struct {
	recipe bimatrix.Recipe
	size   string
}

// generatorFlags say what to generate.
var generatorFlags = []string{"size", "low", "high", "seed"}

func (f *gameSource) add(flags *pflag.FlagSet) {
	f.recipe.High, f.recipe.Seed = 1000000, 1
	bindShared(flags, "flags_generate", "generate", &f.recipe.Family, "size", &f.size, "low", &f.recipe.Low,
		"high", &f.recipe.High, "seed", &f.recipe.Seed)
}

// read reads the game of a file, or generates it.
func (f *gameSource) read(cmd *cobra.Command, args []string) (*bimatrix.Game, error) {
	switch {
	case (f.recipe.Family == "") == (len(args) == 0):
		return nil, usererr.Usagef("give either a file or --generate with a family")
	case len(args) == 0:
		return f.generate()
	case slices.ContainsFunc(generatorFlags, cmd.Flags().Changed):
		return nil, usererr.Usagef("--%s are for --generate", strings.Join(generatorFlags, ", --"))
	}
	file, text, err := readGame(cmd.InOrStdin(), args[0])
	if err != nil {
		return nil, usererr.HintIf(err, fs.ErrNotExist,
			"--generate makes a game; gamebots solve nash --families lists its families")
	}
	g, err := extensive.ReadNormalForm(file, text)
	if err != nil {
		return nil, hintReduced(err)
	}
	warnRead(cmd, g.Warning)
	return g, nil
}

// warnRead logs the warning of a game that was read, if there is one.
func warnRead(cmd *cobra.Command, warning *bimatrix.Warning) {
	if warning != nil {
		zerolog.Ctx(cmd.Context()).Warn().Msg(warning.String())
	}
}

// hintReduced adds a hint to the error of a normal form that is too large.
func hintReduced(err error) error {
	return usererr.HintIf(err, extensive.ErrTooLarge, "gamebots solve extensive finds an equilibrium without it")
}

// generate generates the game.
func (f *gameSource) generate() (*bimatrix.Game, error) {
	r := f.recipe
	if r.Low == r.High {
		return nil, usererr.Usagef("--low, --high: payoffs from %d to %d are all the same", r.Low, r.High)
	}
	var err error
	if r.Rows, r.Cols, err = bimatrix.ParseSize(f.size); err != nil {
		return nil, usererr.Usagef("--size: %w", err)
	}
	g, err := bimatrix.Generate(r)
	if err != nil {
		return nil, usererr.WithHint(usererr.Usagef("--generate: %w", err),
			"gamebots solve nash --families lists families; --size sets the strategies, --low and --high the range of "+
				"payoffs")
	}
	return g, nil
}

// readGame reads a file, or standard input for "-".
func readGame(stdin io.Reader, name string) (file string, text []byte, err error) {
	if name == "-" {
		const file = "standard input"
		text, err = configs.ReadAtMost(stdin, file, bimatrix.MaxBytes)
		return file, text, err
	}
	text, err = configs.ReadFileAtMost(name, bimatrix.MaxBytes)
	return name, text, err
}
