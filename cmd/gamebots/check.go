package main

import (
	"fmt"

	"gamebots/bots/files"
	"gamebots/cmd/internal/cli"
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
			return cli.Next(cmd, nil, "train", names[len(names)-1])
		}
		return nil
	}
	cli.Bind(cmd, "json", &asJSON, "game", &game)
	return cmd
}
