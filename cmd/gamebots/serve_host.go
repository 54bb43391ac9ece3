package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newServeToken(path *string) *cobra.Command {
	bot := false
	cmd := command("serve_token", "token NAME", "Make an account and print its token", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		missing, err := database.Missing(*path)
		if err != nil {
			return err
		}
		token, err := server.AddAccount(*path, args[0], bot)
		if err != nil {
			return err
		}
		if missing {
			zerolog.Ctx(cmd.Context()).Warn().Str("database", *path).Msg("made a new database")
		}
		fmt.Fprintln(cmd.OutOrStdout(), token)
		return nil
	}
	cmd.Flags().BoolVar(&bot, "bot", false, "the account is a bot's")
	return cmd
}

func newServeAccounts(path *string) *cobra.Command {
	cmd := command("serve_accounts", "accounts", "List accounts, renew and revoke their tokens, reset ratings", nil)
	list := listing("serve_accounts_list", "List the accounts of a server",
		func(ctx context.Context) ([]database.Account, error) { return database.Accounts(ctx, *path) })
	online := listing("serve_accounts_list", "",
		func(ctx context.Context) ([]database.Online, error) { return database.AskOnline(ctx, *path) })
	asked := list.Flags().Bool("online", false, "list the connections to the running server instead")
	all := list.RunE
	list.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked {
			return online.RunE(cmd, args)
		}
		return all(cmd, args)
	}
	renew := command("serve_accounts_renew", "renew NAME", "Print a new token for an account", cli.Arguments(1, 1))
	renew.RunE = func(cmd *cobra.Command, args []string) error {
		token, err := database.RenewToken(cmd.Context(), *path, args[0])
		if err != nil {
			return hintHost(err)
		}
		fmt.Fprintln(cmd.OutOrStdout(), token)
		return nil
	}
	revoke := ordering(path, "serve_accounts_revoke", "revoke NAME",
		"Refuse the token of an account, and end its games", database.RevokeToken)
	reset := ordering(path, "serve_accounts_reset", "reset NAME", "Give an account the ratings of a new one",
		database.OrderReset)
	cli.LeadsTo(cmd, list, renew, revoke, reset)
	return cmd
}

func newServeKick(path *string) *cobra.Command {
	return ordering(path, "serve_kick", "kick NAME", "Close the connections of an account", database.OrderKick)
}

// ordering is a command that does something in a database to what its argument names.
func ordering(
	path *string, help, use, short string, do func(ctx context.Context, path, name string) error,
) *cobra.Command {
	cmd := command(help, use, short, cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return hintHost(do(cmd.Context(), *path, args[0])) }
	return cmd
}

// listing returns a command that prints what a database has as a table, or as a JSON array.
func listing[T any](help, short string, read func(context.Context) ([]T, error)) *cobra.Command {
	cmd := command(help, "list", short, cli.Arguments(0, 0))
	cmd.Flags().Bool("json", false, "print one JSON array")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		list, err := read(cmd.Context())
		if err != nil {
			return hintHost(err)
		}
		asJSON, err := cmd.Flags().GetBool("json")
		return errors.Join(err, cli.Print(cmd.OutOrStdout(), asJSON, append([]T{}, list...)))
	}
	return cmd
}

// hintHost adds to an error of the database what a host can do.
func hintHost(err error) error {
	for cause, hint := range map[error]string{
		database.ErrNoGame:     "gamebots serve games list shows the running games",
		database.ErrNoBan:      "gamebots serve bans list shows all",
		database.ErrWide:       "a network is at most /8, of IPv6 /16, and this machine cannot be banned",
		database.ErrNoAccount:  "gamebots serve accounts list shows all names",
		database.ErrServersBot: "the server plays it itself, nobody signs in with it",
		database.ErrNoAnswer:   "is it running, and does --database name its file?",
		database.ErrRuns:       "gamebots serve games end ID ends it, and does not count it",
	} {
		err = usererr.HintIf(err, cause, hint)
	}
	return hintDatabaseFile(err)
}

// hintDatabaseFile says what to do about the database of a server that is damaged, or that there is none.
func hintDatabaseFile(err error) error {
	err = usererr.HintIf(err, database.ErrNotDatabase, "gamebots serve restore FILE puts a backup in its place; a "+
		"file that is copied there by other means is damaged by a log, whose name ends with -wal, that was left there")
	return usererr.HintIf(err, database.ErrMissing, "--database names the file of the server")
}

func newServeGames(path *string) *cobra.Command {
	cmd := command("serve_games", "games", "List the running games of a server, end and annul games", nil)
	var account, loser string
	list := listing("serve_games_list", "List the running games of a server",
		func(ctx context.Context) ([]database.Game, error) { return database.RunningGames(ctx, *path, account) })
	list.Flags().StringVar(&account, "account", "", "only the games of the account `NAME`")
	end := ordering(path, "serve_games_end", "end ID", "End a running game",
		func(ctx context.Context, path, id string) error { return database.OrderEnd(ctx, path, id, loser) })
	end.Flags().StringVar(&loser, "loser", "", "the player `NAME` loses the game; without, it does not count")
	annul := ordering(path, "serve_games_annul", "annul ID", "Take a finished game out of the ratings",
		database.OrderAnnul)
	cli.LeadsTo(cmd, list, end, annul)
	return cmd
}

func newServeBans(path *string) *cobra.Command {
	cmd := command("serve_bans", "bans", "Ban accounts and addresses from a server, or from its chat", nil)
	var ban database.Ban
	var period days
	add := command("serve_bans_add", "add NAME|ADDRESS", "Ban an account, an address or a network", cli.Arguments(1, 1))
	add.RunE = func(cmd *cobra.Command, args []string) error {
		ban.Target, ban.Made = args[0], time.Now()
		if period > 0 {
			ban.Until = ban.Made.Add(time.Duration(period))
		}
		added, err := database.AddBan(cmd.Context(), *path, ban)
		if err != nil {
			return hintHost(err)
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is %s\n", added.Target, added.Sentence())
		return err
	}
	cli.Bind(add, "for", &period, "reason", &ban.Reason, "chat", &ban.Chat)
	list := listing("serve_bans_list", "List the bans of a server",
		func(ctx context.Context) ([]database.Ban, error) { return database.Bans(ctx, *path, time.Now()) })
	remove := ordering(path, "serve_bans_remove", "remove NAME|ADDRESS", "End a ban", database.RemoveBan)
	cli.LeadsTo(cmd, add, list, remove)
	return cmd
}

// days is the value of a flag that takes a duration, also in days.
type days time.Duration

func (d *days) Type() string { return "TIME" }
func (d *days) String() string {
	if *d == 0 {
		return "" // for good
	}
	return time.Duration(*d).String()
}

// Set reads a time such as 7d or 1h30m.
func (d *days) Set(text string) error {
	const longest = 100 * 365 * 24 * time.Hour
	period, err := time.ParseDuration(text)
	if number, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(number)
		period = time.Duration(min(n, int(longest/24/time.Hour))) * 24 * time.Hour
	}
	if err != nil || period <= 0 || period > longest {
		return usererr.Usagef("%q is no time such as 30m, 12h or 7d", text)
	}
	*d = days(period)
	return nil
}

func newServeBackup(path *string) *cobra.Command {
	force := false
	cmd := command("serve_backup", "backup FILE",
		"Copy the database of a server, even while it runs", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := hintFile(database.Backup(cmd.Context(), *path, args[0], force))
		err = usererr.HintIf(err, fs.ErrExist, "--force replaces it")
		err = usererr.HintIf(err, database.ErrOldLog, "remove that log, if nobody needs that database any more")
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

// hintFile says what a host can do about a file that is no use for a backup, or to restore one.
func hintFile(err error) error {
	err = usererr.HintIf(err, database.ErrNoFile, "FILE and --database are names of files")
	for _, used := range []error{database.ErrItself, database.ErrOpen, database.ErrPart} {
		err = usererr.HintIf(err, used,
			"give FILE another name; gamebots serve restore FILE restores a backup, once the server is stopped")
	}
	return err
}

func newServeRestore(path *string) *cobra.Command {
	cmd := command("serve_restore", "restore FILE", "Put a backup in the place of the database of a stopped server",
		cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := database.Restore(cmd.Context(), *path, args[0])
		if err != nil {
			err = hintFile(usererr.HintIf(err, database.ErrMissing, "FILE is a backup of gamebots serve backup"))
			return usererr.HintIf(err, database.ErrOpen, "stop it, and restore then")
		}
		text := fmt.Sprintf("%s is now a copy of %s\n", *path, args[0])
		if r.Before != "" {
			changed := cmp.Or(strings.Join(r.Changed, ", "), "none")
			if r.Unread != nil {
				changed = fmt.Sprintf("not known: %v", r.Unread)
			}
			text += fmt.Sprintf("the database before is %s\n", r.Before) +
				fmt.Sprintf("tokens and bans that have changed since the backup: %s\n", changed)
		}
		_, err = fmt.Fprint(cmd.OutOrStdout(), text)
		return err
	}
	return cmd
}
