package cli

import (
	"fmt"
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// LeadsTo makes cmd a command that does nothing but lead to others.
func LeadsTo(cmd *cobra.Command, others ...*cobra.Command) {
	cmd.AddCommand(others...)
	cmd.Use += Subcommand
	cmd.DisableFlagsInUseLine = true
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			err := usererr.Usagef("unknown command %q for %s", args[0], cmd.CommandPath())
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				err = fmt.Errorf("%w, the nearest is %s", err, strings.Join(near, " or "))
			}
			return err
		case cmd.HasParent():
			return usererr.Usagef("%s needs a command after it", cmd.CommandPath())
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}
