package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"text/tabwriter"
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
	cmd := command("serve_accounts", "accounts", "List accounts, renew and revoke their tokens", nil)
	list := listing("serve_accounts_list", "List the accounts of a server",
		[]string{"NAME", "KIND", "TOKEN", "CREATED", "GAMES", "LAST GAME"}, accountRow,
		func(ctx context.Context) ([]database.Account, error) { return database.Accounts(ctx, *path) })
	renew := command("serve_accounts_renew", "renew NAME", "Print a new token for an account", cli.Arguments(1, 1))
	renew.RunE = func(cmd *cobra.Command, args []string) error {
		token, err := database.RenewToken(cmd.Context(), *path, args[0])
		if err != nil {
			return hintHost(err)
		}
		fmt.Fprintln(cmd.OutOrStdout(), token)
		return nil
	}
	revoke := command("serve_accounts_revoke", "revoke NAME",
		"Refuse the token of an account, and end its games", cli.Arguments(1, 1))
	revoke.RunE = func(cmd *cobra.Command, args []string) error {
		return hintHost(database.RevokeToken(cmd.Context(), *path, args[0]))
	}
	cli.LeadsTo(cmd, list, renew, revoke)
	return cmd
}

// accountRow has the columns of an account.
func accountRow(a database.Account) []string {
	kind := "player"
	if a.Bot {
		kind = "bot"
	}
	return []string{
		a.Name, kind, a.Token, format(a.Created, time.DateOnly), strconv.Itoa(a.Games),
		format(a.LastGame, time.DateOnly),
	}
}

// listing returns a command that prints what a database has as a table, or as a JSON array.
func listing[T any](
	help, short string, head []string, row func(T) []string, read func(context.Context) ([]T, error),
) *cobra.Command {
	cmd := command(help, "list", short, cli.Arguments(0, 0))
	asJSON := cmd.Flags().Bool("json", false, "print one JSON array")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		list, err := read(cmd.Context())
		if err != nil {
			return hintHost(err)
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(append([]T{}, list...))
		}
		t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, strings.Join(head, "\t"))
		for _, x := range list {
			fmt.Fprintln(t, strings.TrimRight(strings.Join(row(x), "\t"), "\t"))
		}
		return t.Flush()
	}
	return cmd
}

// minute writes a time for a table, or - for none.
func minute(t time.Time) string { return format(t, "2006-01-02 15:04") }

// format writes a time in a layout, or - for none.
func format(t time.Time, layout string) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(layout)
}

// hintHost adds to an error of the database what a host can do.
func hintHost(err error) error {
	switch {
	case errors.Is(err, database.ErrNoGame):
		return usererr.WithHint(err, "gamebots serve games list shows the running games")
	case errors.Is(err, database.ErrNoBan):
		return usererr.WithHint(err, "gamebots serve bans list shows all")
	case errors.Is(err, database.ErrWide):
		return usererr.WithHint(err, "a network is at most /8, of IPv6 /16, and this machine cannot be banned")
	case errors.Is(err, database.ErrNoAccount):
		return usererr.WithHint(err, "gamebots serve accounts list shows all names")
	case errors.Is(err, database.ErrServersBot):
		return usererr.WithHint(err, "the server plays it itself, nobody signs in with it")
	}
	return hintDatabaseFile(err)
}

// hintDatabaseFile says what names the database of a server, if there is none.
func hintDatabaseFile(err error) error {
	return usererr.HintIf(err, database.ErrMissing, "--database names the file of the server")
}

func newServeGames(path *string) *cobra.Command {
	cmd := command("serve_games", "games", "List the running games of a server, and end one", nil)
	var account, loser string
	list := listing("serve_games_list", "List the running games of a server",
		[]string{"ID", "RULES", "RATED", "CLOCK", "MOVES", "STARTED", "LAST MOVE", "PLAYERS"},
		func(g database.Game) []string {
			return []string{
				g.ID, g.Rules, yes(g.Rated), yes(g.Clock), strconv.Itoa(g.Moves),
				minute(g.Started), minute(g.Moved), strings.Join(g.Players, " "),
			}
		},
		func(ctx context.Context) ([]database.Game, error) { return database.RunningGames(ctx, *path, account) })
	list.Flags().StringVar(&account, "account", "", "only the games of the account `NAME`")
	end := command("serve_games_end", "end ID", "End a running game", cli.Arguments(1, 1))
	end.RunE = func(cmd *cobra.Command, args []string) error {
		return hintHost(database.OrderEnd(cmd.Context(), *path, args[0], loser))
	}
	end.Flags().StringVar(&loser, "loser", "", "the player `NAME` loses the game; without, it does not count")
	cli.LeadsTo(cmd, list, end)
	return cmd
}

// yes writes a truth for a table.
func yes(truth bool) string {
	if truth {
		return "yes"
	}
	return "no"
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
	flags := add.Flags()
	flags.Var(&period, "for", "how long, as in 30m, 12h or 7d (default until it is removed)")
	flags.StringVar(&ban.Reason, "reason", "", "`TEXT` that the banned are told")
	flags.BoolVar(&ban.Chat, "chat", false, "ban from chat only")
	list := listing("serve_bans_list", "List the bans of a server",
		[]string{"TARGET", "FROM", "SINCE", "UNTIL", "REASON"},
		func(b database.Ban) []string {
			from := "server"
			if b.Chat {
				from = "chat"
			}
			return []string{b.Target, from, minute(b.Made), minute(b.Until), b.Reason}
		},
		func(ctx context.Context) ([]database.Ban, error) { return database.Bans(ctx, *path, time.Now()) })
	remove := command("serve_bans_remove", "remove NAME|ADDRESS", "End a ban", cli.Arguments(1, 1))
	remove.RunE = func(cmd *cobra.Command, args []string) error {
		return hintHost(database.RemoveBan(cmd.Context(), *path, args[0]))
	}
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
