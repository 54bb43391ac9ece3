package main

import (
	"fmt"
	"strings"

	"gamebots/bots/files"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	asJSON, game := false, ""
	cmd := command("check", "check FILE|GAME...",
		"Check files of all kinds, and print how the program reads them", cli.Arguments(1, cli.AnyNumber))
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		bad, kind := 0, ""
		for _, name := range names {
			f := files.Check(name)
			if game != "" {
				f = files.CheckLog(name, game)
			}
			if kind = f.Kind; f.Err != nil {
				bad++
			}
			if err := cli.Print(cmd.OutOrStdout(), asJSON, f); err != nil {
				return err
			}
		}
		switch {
		case bad > 0:
			return fmt.Errorf("%s cannot be used", usererr.Counted(bad, "file", "files"))
		case kind == "game":
			words := []string{"train", names[len(names)-1]}
			if g, err := configs.Game(words[1]); err == nil {
				words = append(words, strings.Fields(configs.Recipe(g))...)
			}
			return cli.Next(cmd, nil, words...)
		}
		return nil
	}
	cli.Bind(cmd, "json", &asJSON, "game", &game)
	return cmd
}
