package main

import (
	"errors"
	"io/fs"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server/database"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newServeBackup(path *string) *cobra.Command {
	force := false
	cmd := command("serve_backup", "backup FILE",
		"Copy the database of a server, even while it runs", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := database.Backup(cmd.Context(), *path, args[0], force)
		if errors.Is(err, fs.ErrExist) {
			return usererr.WithHint(err, "--force replaces it")
		}
		err = usererr.HintIf(err, database.ErrOldLog, "remove that log, if nobody needs that database any more")
		for _, used := range []error{database.ErrItself, database.ErrOpen, database.ErrPart} {
			err = usererr.HintIf(err, used, "give FILE another name; to restore a backup, stop the server first")
		}
		err = usererr.HintIf(err, database.ErrOtherName, "--database names it as the server does")
		if err != nil {
			return hintDatabaseFile(err)
		}
		zerolog.Ctx(cmd.Context()).Info().Str("database", *path).Str("backup", args[0]).Msg("copied and checked")
		return nil
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return cmd
}
