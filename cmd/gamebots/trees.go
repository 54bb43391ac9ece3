package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// openTree opens the extensive game of a shipped name or a file, and returns nil for any other game.
func openTree(cmd *cobra.Command, name string) (*train.Tree, error) {
	bar := cli.NewPartBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "building the tree of "+name)
	defer bar.Close()
	stop := bar.Tick()
	g, err := parallel.Await(cmd.Context(), func() (*extensive.Game, error) { return extensive.Open(name) })
	stop()
	if g == nil || err != nil {
		return nil, err
	}
	warnRead(cmd, g.Warning)
	return &train.Tree{Game: g, Source: name}, nil
}

// isProfile reports whether a file has a profile of an extensive game, or says it by its name.
func isProfile(file string) bool {
	return atomicfile.Begins(file, "{") || filepath.Ext(file) == ".json"
}

// readProfile reads the profile of a file.
func readProfile(file string) (*extensive.StoredProfile, error) {
	text, err := configs.ReadFileAtMost(file, extensive.MaxBytes)
	if err != nil {
		return nil, err
	}
	p, err := extensive.ReadProfile(file, text)
	if err != nil {
		err = usererr.WithHint(err, "gamebots solve extensive GAME --json > FILE writes a profile, as train does")
	}
	return p, err
}

// profileOf reads the profile of a game from a file.
func profileOf(file string, g *extensive.Game) (extensive.Profile, error) {
	stored, err := readProfile(file)
	if err != nil {
		return nil, err
	}
	return stored.Of(g)
}

// openProfile opens the profile of a file with its game: that of a name, or of the file itself if the name is "", which
// may be beside it.
func openProfile(cmd *cobra.Command, file, name string) (*extensive.Game, extensive.Profile, error) {
	stored, err := readProfile(file)
	if err != nil {
		return nil, nil, err
	}
	const hint = "give it with --game GAME.efg, or the name of a game"
	if name = cmp.Or(name, stored.Source); name == "" {
		return nil, nil, usererr.WithHint(fmt.Errorf("%s does not say which game its strategies are for", file), hint)
	}
	poker := extensiveFlags{cards: abstraction.Lossless.String()}
	g, err := poker.open(cmd, name)
	if errors.Is(err, fs.ErrNotExist) && name == stored.Source {
		g, err = poker.open(cmd, filepath.Join(filepath.Dir(file), filepath.Base(name)))
	}
	if err != nil {
		return nil, nil, usererr.HintIf(err, fs.ErrNotExist, hint)
	}
	profile, err := stored.Of(g)
	return g, profile, err
}

// onlyFlags returns an error if other flags of a command are given than these.
func onlyFlags(cmd *cobra.Command, why string, names ...string) error {
	var others []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			others = append(others, "--"+f.Name)
		}
	})
	if others == nil {
		return nil
	}
	return usererr.Usagef("%s: %s", strings.Join(others, ", "), why)
}
