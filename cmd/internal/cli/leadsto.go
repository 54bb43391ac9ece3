package cli

import (
	"fmt"
	"io"
	"slices"
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
	command := program
	for i, arg := range args {
		name := command + " " + arg
		if i == 0 {
			command = name
		}
		today, ok := former[name]
		if !ok {
			now = append(now, arg)
			continue
		}
		fmt.Fprintf(w, "%s: hint: %s is now %s\n", program, arg, today)
		now = append(now, strings.Fields(today)...)
	}
	return now
}

// gone are the commands and flags that went with 0.3.0, by the command that had them.
var gone = map[string]string{
	"gamebench":               "--plot",
	"gamebench compare":       "--json",
	"gamebots":                "bench experiment",
	"gamebots abstract":       "--plot --json",
	"gamebots arena run":      "--verify --nats-listen --nats-token --nats-ca",
	"gamebots demo":           "--json",
	"gamebots estimate":       "--against-purify --against-threshold",
	"gamebots evaluate":       "--nats --log --lbr --sample --learned --verify --runouts",
	"gamebots gpu":            "--report",
	"gamebots grid serve":     "--token --tls-ca",
	"gamebots grid status":    "--listen --token --tls-ca",
	"gamebots match havannah": "--for",
	"gamebots package acpc":   "--json --readme",
	"gamebots play mit":       "--year",
	"gamebots policy":         "--iterations",
	"gamebots serve":          "--arena --arena-viewer --arena-admin --metrics",
	"gamebots solve":          "correlated",
	"gamebots solve havannah": "--json",
	"gamebots solve nash":     "--verify --nats --path",
	"gamebots solve poker": "--verify --raise-cap --add-all-in --force-all-in --merge --algorithm --bits --table " +
		"--svg --color --csv --from --rake-cap --checkpoint --nats-listen --nats-token --nats-ca",
	"gamebots solve snake": "--algorithm --iterations --verify --nats --restarts --width --walks --improve " +
		"--symmetry --policy --coil --free",
	"gamebots train": "--batch --unit --checkpoint --curve --force --forgetful --forget-dead-money " +
		"--start-iterations",
	"gamebots train havannah": "--verify --checkpoint --curve --force --nats-listen --nats-token --nats-ca",
	"gamebots work":           "--token --tls-ca",
}

// goneError returns the error of a name after a command that once was one of its commands or flags, or nil.
func goneError(cmd *cobra.Command, name string) error {
	all := strings.Fields(gone[cmd.CommandPath()])
	if !slices.Contains(all, name) && !(strings.HasPrefix(name, "--nats-") && slices.Contains(all, "--nats")) {
		return nil
	}
	return usererr.Usagef("%s %s went with 0.3.0 (the last commit with it is 5b68c516)", cmd.CommandPath(), name)
}
