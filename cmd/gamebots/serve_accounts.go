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
	cmd := explain(&cobra.Command{
		Use:   "token NAME",
		Short: "Make an account and print its token",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, err := server.AddAccount(*path, args[0], bot)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}, "serve_token")
	cmd.Flags().BoolVar(&bot, "bot", false, "the account is a bot's")
	return cmd
}

func newServeAccounts(path *string) *cobra.Command {
	cmd := explain(&cobra.Command{
		Use:   "accounts",
		Short: "List accounts, renew and revoke their tokens",
	}, "serve_accounts")
	asJSON := false
	list := explain(&cobra.Command{
		Use:   "list",
		Short: "List the accounts of a server",
		Args:  cli.Arguments(0, 0),
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
	}, "serve_accounts_list")
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	renew := explain(&cobra.Command{
		Use:   "renew NAME",
		Short: "Print a new token for an account",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, err := database.RenewToken(cmd.Context(), *path, args[0])
			if err != nil {
				return hintAccounts(err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}, "serve_accounts_renew")
	revoke := explain(&cobra.Command{
		Use:   "revoke NAME",
		Short: "Refuse the token of an account",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return hintAccounts(database.RevokeToken(cmd.Context(), *path, args[0]))
		},
	}, "serve_accounts_revoke")
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
	return hintDatabaseFile(err)
}

// hintDatabaseFile says what names the database of a server, if there is none.
func hintDatabaseFile(err error) error {
	return usererr.HintIf(err, database.ErrMissing, "--database names the file of the server")
}
