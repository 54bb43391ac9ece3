package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newServeToken(path *string) *cobra.Command {
	bot := false
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Make an account and print its token",
		Long: `token makes an account in the database of a server, which may be running, and
prints the token of the account. The token cannot be shown again; "serve
accounts renew NAME" gives the account another one.`,
		Example: `  gamebots serve token ada
  gamebots serve token deep-thought --bot --database games.db`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, err := server.AddAccount(*path, args[0], bot)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}
	cmd.Flags().BoolVar(&bot, "bot", false, "the account is a bot's")
	return cmd
}

func newServeAccounts(path *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accounts",
		Short: "List accounts, renew and revoke their tokens",
		Long: `accounts is for the host of a server, which may be running on the database. A
running server notices a renewed or revoked token within two seconds, and closes
the connections that were opened with the old one.`,
		Example: `  gamebots serve accounts list
  gamebots serve accounts renew ada
  gamebots serve accounts revoke eve --database games.db`,
	}
	asJSON := false
	list := &cobra.Command{
		Use:   "list",
		Short: "List the accounts of a server",
		Long: `list prints each account with the number of its games, the day of the last one
and whether its token is valid or revoked. The server's own bots have none. With
--json it prints one array.`,
		Example: `  gamebots serve accounts list
  gamebots serve accounts list --json --database games.db`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			accounts, err := database.Accounts(cmd.Context(), *path)
			if err != nil {
				return hintAccounts(err)
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(accounts)
			}
			return printAccounts(cmd.OutOrStdout(), accounts)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	renew := &cobra.Command{
		Use:   "renew NAME",
		Short: "Print a new token for an account",
		Long: `renew gives an account a new token and prints it. The old token is refused from
then on. Use it for a lost token, and to give a revoked account one again.`,
		Example: `  gamebots serve accounts renew ada`,
		Args:    cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, err := database.RenewToken(cmd.Context(), *path, args[0])
			if err != nil {
				return hintAccounts(err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}
	revoke := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Refuse the token of an account",
		Long: `revoke takes away the token of an account. Its name stays taken and its games
stay in the records; its running games continue without it.`,
		Example: `  gamebots serve accounts revoke eve`,
		Args:    cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return hintAccounts(database.RevokeToken(cmd.Context(), *path, args[0]))
		},
	}
	cli.LeadsTo(cmd, list, renew, revoke)
	return cmd
}

func printAccounts(w io.Writer, accounts []database.Account) error {
	day := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.Format(time.DateOnly)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tKIND\tTOKEN\tCREATED\tGAMES\tLAST GAME")
	for _, a := range accounts {
		kind := "player"
		if a.Bot {
			kind = "bot"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\n", a.Name, kind, a.Token, day(a.Created), a.Games, day(a.LastGame))
	}
	return t.Flush()
}

// hintAccounts adds to an error of the database what a host can do.
func hintAccounts(err error) error {
	switch {
	case errors.Is(err, database.ErrNoAccount):
		return usererr.WithHint(err, "gamebots serve accounts list shows all names")
	case errors.Is(err, database.ErrServersBot):
		return usererr.WithHint(err, "the server plays it itself, nobody signs in with it")
	}
	return hintMissing(err)
}

// hintMissing says what names the database of a server, if there is none.
func hintMissing(err error) error {
	if errors.Is(err, database.ErrMissing) {
		return usererr.WithHint(err, "--database names the file of the server")
	}
	return err
}
