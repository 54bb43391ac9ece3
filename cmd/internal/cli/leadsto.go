package cli

import (
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// LeadsTo makes cmd a command that does nothing but lead to others: alone it prints its help.
func LeadsTo(cmd *cobra.Command, others ...*cobra.Command) {
	cmd.AddCommand(others...)
	cmd.Use += Subcommand
	cmd.DisableFlagsInUseLine = true
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if err := goneError(cmd, args[0]); err != nil {
			return err
		}
		err := usererr.Usagef("unknown command %q for %s", args[0], cmd.CommandPath())
		var names []string
		for _, sub := range cmd.Commands() { // hidden ones, too
			names = append(names, sub.Name())
		}
		if near := usererr.Meant(args[0], names); near != "" {
			err = fmt.Errorf("%w, the nearest is %s", err, near)
		}
		return err
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// completeShells makes the command completion of cobra one that does nothing but lead to others, too.
func completeShells(root *cobra.Command) {
	root.CompletionOptions.HiddenDefaultCmd = true // docs/commands.md has it
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil && completion != root {
		LeadsTo(completion)
	}
}

// former has what commands and flags are called now, by the names that they had before 0.3.0 and keep for one version.
var former = map[string]string{
	"gamebots exploit":         "evaluate --by bound",
	"gamebots evaluate --real": "--by real",
	"gamebots replay":          "check",
	"gamebots work":            "grid work",
}

// renamed returns the arguments of a program with today's names, and says on w which are others than those given.
func renamed(program string, args []string, w io.Writer) (now []string) {
	command, help := program, false
	for i, arg := range args {
		name := command + " " + arg
		switch {
		case arg == "help" || arg == "-h" || arg == "--help":
			help = true
		case command != program || strings.HasPrefix(arg, "-") || i > 0 && args[i-1] == "--log-level":
		default:
			command = name
		}
		today, ok := former[name]
		if !ok {
			now = append(now, arg)
			continue
		}
		fmt.Fprintf(w, "%s: hint: %s is now %s\n", program, arg, today)
		if help {
			// Of flags help knows nothing.
			today, _, _ = strings.Cut(today, " --")
		}
		now = append(now, strings.Fields(today)...)
	}
	return now
}

// What several names of [gone] are now.
const (
	spotKey  = " of a file of --spot"
	showFlag = " is a flag of gamebots show for a file of --save"
	tokens   = "--token is $GAMEBOTS_NATS_TOKEN, --tls-ca is --keys FOLDER with ca.pem"
	servers  = "--nats-listen is --nats embedded=HOST:PORT, --nats-token is $GAMEBOTS_NATS_TOKEN, " +
		"--nats-ca is --nats-keys FOLDER with ca.pem"
)

// gone are the commands and flags that went with 0.3.0, by the command that had them: "NAME, NAME is SUCCESSOR".
var gone = map[string]string{
	"gamebench":          "--plot",
	"gamebench compare":  "--json",
	"gamebots":           "bench is the program gamebench, experiment",
	"gamebots abstract":  "--plot, --json",
	"gamebots arena run": "--verify, " + servers,
	"gamebots demo":      "--json",
	"gamebots estimate":  "--against-purify, --against-threshold",
	"gamebots evaluate": "--real is --by real, --log is gamebots estimate LOG, --lbr is --by lbr, " +
		"--sample is --by boards, --learned is --by learned, --verify, --runouts, --nats",
	"gamebots gpu":            "--report",
	"gamebots grid serve":     tokens,
	"gamebots grid status":    "--listen, " + tokens,
	"gamebots grid work":      tokens,
	"gamebots match havannah": "--for",
	"gamebots package acpc":   "--json, --readme",
	"gamebots play mit":       "--year",
	"gamebots policy":         "--iterations",
	"gamebots serve":          "--arena, --arena-viewer, --arena-admin, --metrics is --metrics-reader NAME",
	"gamebots show":           "--differences",
	"gamebots solve":          "correlated",
	"gamebots solve havannah": "--json",
	"gamebots solve nash":     "--verify, --nats, --path, --symmetric",
	"gamebots solve poker": "--verify, --checkpoint, --from is --spot STRATEGY, --rake-cap is --rake PERCENT,CAP, " +
		"--raise-cap is bets.raise_cap" + spotKey + ", --add-all-in is bets.add_all_in" + spotKey +
		", --force-all-in is bets.force_all_in" + spotKey + ", --merge is bets.merge" + spotKey +
		", --algorithm is solve.algorithm" + spotKey + ", --bits is solve.bits" + spotKey +
		", --table" + showFlag + ", --svg" + showFlag +
		", --color" + showFlag + ", --csv" + showFlag + ", " + servers,
	"gamebots solve snake": "--algorithm, --iterations, --verify, --nats, --restarts, --width, --walks, --improve, " +
		"--symmetry, --policy, --coil, --free",
	"gamebots train": "--batch is --algorithm 'external(N)', --unit, --checkpoint, --compact, --force, " +
		"--curve is --plot FILE.csv, --forgetful is --set forget=betting, " +
		"--forget-dead-money is --set forget=dead-money, --real is --by real of gamebots evaluate, --start-iterations",
	"gamebots train havannah": "--verify, --checkpoint, --curve is --plot FILE.csv, --force, " + servers,
}

// goneError returns the error of a name after a command that once was one of its commands or flags, or nil.
func goneError(cmd *cobra.Command, name string) error {
	for entry := range strings.SplitSeq(gone[cmd.CommandPath()], ", ") {
		old, now, found := strings.Cut(entry, " is ")
		switch {
		case name == "" || old != name && !(old == "--nats" && strings.HasPrefix(name, "--nats-")):
		case found:
			return usererr.Usagef("%s %s is now %s", cmd.CommandPath(), name, now)
		default:
			return usererr.Usagef("%s %s went with 0.3.0 (the last commit with it is 5b68c516)",
				cmd.CommandPath(), name)
		}
	}
	return nil
}
