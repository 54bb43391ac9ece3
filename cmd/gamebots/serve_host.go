package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	asJSON := false
	list := command("serve_accounts_list", "list", "List the accounts of a server", cli.Arguments(0, 0))
	list.RunE = func(cmd *cobra.Command, _ []string) error {
		accounts, err := database.Accounts(cmd.Context(), *path)
		if err != nil {
			return hintHost(err)
		}
		return printList(cmd.OutOrStdout(), asJSON, accounts,
			[]string{"NAME", "KIND", "TOKEN", "CREATED", "GAMES", "LAST GAME"}, accountRow)
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
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

// printList prints a list as a table, or as a JSON array.
func printList[T any](w io.Writer, asJSON bool, list []T, head []string, row func(T) []string) error {
	if asJSON {
		return json.NewEncoder(w).Encode(append([]T{}, list...))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, x := range list {
		fmt.Fprintln(t, strings.TrimRight(strings.Join(row(x), "\t"), "\t"))
	}
	return t.Flush()
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
