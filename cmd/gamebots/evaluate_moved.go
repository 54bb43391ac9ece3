package main

import (
	"fmt"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addMoved adds the flags of evaluate that have moved to exploit and estimate. They are hidden, and stay for a version.
func addMoved(flags *pflag.FlagSet) {
	for _, name := range []string{"learned", "sample", "against-purify"} {
		flags.Bool(name, false, "moved")
	}
	flags.StringArray("log", nil, "moved")
	for _, name := range []string{
		"lbr", "rounds", "hands", "iterations", "boards", "time", "seed", "solve", "solve-from", "player", "against",
		"against-threshold",
	} {
		flags.String(name, "", "moved")
	}
	flags.VisitAll(func(flag *pflag.Flag) { flag.Hidden = flag.Hidden || flag.Usage == "moved" })
}

// moved returns the command line of exploit or estimate that does what an old one of evaluate did, or nil if the flags
// are those of evaluate.
func moved(flags *pflag.FlagSet, args []string) (line []string, err error) {
	given := flags.Changed
	var modes []string
	for _, name := range []string{"lbr", "learned", "log", "real", "sample"} {
		if given(name) && !(name == "real" && given("sample")) {
			modes = append(modes, "--"+name)
		}
	}
	if len(modes) > 1 {
		return nil, usererr.Usagef("%s cannot be combined", strings.Join(modes, " and "))
	}
	switch {
	case given("log"):
		line = append([]string{"estimate"}, args...)
		logs, err := flags.GetStringArray("log")
		if err != nil {
			return nil, err
		}
		line = append(line, logs...)
	case given("lbr"):
		line = append([]string{"exploit"}, args...)
	case given("learned"):
		line = append(append([]string{"exploit"}, args...), "--by", byLearned)
	case given("sample"):
		line = append(append([]string{"exploit"}, args...), "--by", byBoards)
	}
	flags.Visit(func(flag *pflag.Flag) {
		switch name := flag.Name; {
		case line == nil && flag.Usage == "moved":
			err = usererr.WithHint(usererr.Usagef("--%s is no flag of evaluate any more", name),
				"gamebots exploit bounds exploitability, and gamebots estimate estimates winnings in logs")
		case line == nil, name == "set", name == "log", name == "learned", name == "sample":
		case name == "real" && given("sample"):
		case name == "lbr":
			line = append(line, "--actions", flag.Value.String())
		case flag.Value.String() == flag.NoOptDefVal:
			line = append(line, "--"+name)
		case flag.NoOptDefVal != "":
			line = append(line, "--"+name+"="+flag.Value.String())
		default:
			line = append(line, "--"+name, flag.Value.String())
		}
	})
	return line, err
}

// runMoved runs the command line that has taken the place of an old one of evaluate.
func runMoved(cmd *cobra.Command, line []string, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "gamebots: hint: this is a command of its own: gamebots %s\n",
		cli.CommandLine(line...))
	to, words, err := cmd.Root().Find(line)
	if err != nil {
		return err
	}
	to.SetContext(cmd.Context())
	if err = to.ParseFlags(words); err != nil {
		err = cli.FlagError(to, err)
	} else if err = to.ValidateArgs(to.Flags().Args()); err == nil {
		err = to.RunE(to, to.Flags().Args())
	}
	if usererr.IsUsage(err) && usererr.Hint(err) == "" {
		err = usererr.WithHint(err, to.CommandPath()+" --help shows the usage")
	}
	return err
}
