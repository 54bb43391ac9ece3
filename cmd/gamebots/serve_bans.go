package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server/database"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

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
	asJSON := false
	list := command("serve_bans_list", "list", "List the bans of a server", cli.Arguments(0, 0))
	list.RunE = func(cmd *cobra.Command, _ []string) error {
		bans, err := database.Bans(cmd.Context(), *path, time.Now())
		if err != nil {
			return hintHost(err)
		}
		return printList(cmd.OutOrStdout(), asJSON, bans, []string{"TARGET", "FROM", "SINCE", "UNTIL", "REASON"},
			func(b database.Ban) []string {
				from := "server"
				if b.Chat {
					from = "chat"
				}
				return []string{b.Target, from, minute(b.Made), minute(b.Until), b.Reason}
			})
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
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
