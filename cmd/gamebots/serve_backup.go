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
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database of a server, even while it runs",
		Long: `backup copies the database into FILE, as it is at one moment, and checks the
copy. The server may be running, and keeps running. An existing FILE is
replaced only with --force.

To restore a backup, stop the server, copy FILE over the database, and remove
the files DATABASE-wal and DATABASE-shm if there are any.

More: docs/hosting.md`,
		Example: `  gamebots serve backup games-2026-11-22.db
  gamebots serve backup --force \
    --database /var/lib/gamebots/games.db /mnt/backup/games.db`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := database.Backup(cmd.Context(), *path, args[0], force)
			if errors.Is(err, fs.ErrExist) {
				return usererr.WithHint(err, "--force replaces it")
			}
			if err != nil {
				return hintMissing(err)
			}
			zerolog.Ctx(cmd.Context()).Info().Str("database", *path).Str("backup", args[0]).Msg("copied and checked")
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return cmd
}
