package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check FILE|GAME...",
		Short: "Check files of all kinds, and print how the program reads them",
		Long: `check reads game definitions and settings (files named *.toml) as the other
commands do, and prints the result: a game in its canonical form, settings with
all defaults filled in. It verifies strategies, networks, checkpoints and tables
of buckets, and prints how they were made. In a file of snakes and coils
(*.snake, or any file that begins with one) it checks every one.

For a game it also warns of anything that the ACPC's server silently ignores,
such as unknown keys, and of anything that makes that server hang, abort or
fail. A game is printed as that server understands it. The other commands refuse
a game that the server misreads or that overruns its memory.

Warnings and errors name the file, line and key. The exit status is 1 if a file
cannot be used, and 0 if there are only warnings.

With --json there is one object per line for each file:
  {"file", "kind", "summary", "text", "warnings": [{"line", "key", "text"}], "error"}`,
		Example: `  gamebots check leduc
  gamebots check my.game configs/poker.toml
  gamebots check leduc.strategy leduc.strategy.checkpoint
  gamebots check --json *.game
  gamebots check ten.snake`,
		Args: cli.Arguments(1, cli.AnyNumber),
		RunE: func(cmd *cobra.Command, files []string) error {
			show := finding.print
			if asJSON {
				show = finding.printJSON
			}
			bad := 0
			for _, file := range files {
				f := check(file)
				if f.err != nil {
					bad++
				}
				if err := show(f, cmd.OutOrStdout()); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%s cannot be used", figures.Counted(bad, "file", "files"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

// finding is the result of checking one file.
type finding struct {
	file     string
	kind     string // of fileKinds
	summary  string
	text     string // in canonical form
	warnings []acpc.Warning
	err      error
}

func (f finding) print(w io.Writer) error {
	var b strings.Builder
	for _, warning := range f.warnings {
		fmt.Fprintf(&b, "warning: %v\n", warning)
	}
	if f.err != nil {
		for line := range strings.Lines(f.err.Error() + "\n") {
			b.WriteString("error: " + line)
		}
		if hint := usererr.Hint(f.err); hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", hint)
		}
	} else {
		fmt.Fprintf(&b, "%s: %s\n", f.file, f.summary)
		for line := range strings.Lines(f.text) {
			if line != "\n" {
				b.WriteString("  " + line)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f finding) printJSON(w io.Writer) error {
	type warning struct {
		Line int    `json:"line"`
		Key  string `json:"key"`
		Text string `json:"text"`
	}
	warnings := make([]warning, len(f.warnings))
	for i, v := range f.warnings {
		warnings[i] = warning{v.Line, v.Key, v.Msg}
	}
	reason := ""
	if f.err != nil {
		reason = f.err.Error()
	}
	return json.NewEncoder(w).Encode(struct {
		File     string    `json:"file"`
		Kind     string    `json:"kind"`
		Summary  string    `json:"summary"`
		Text     string    `json:"text"`
		Warnings []warning `json:"warnings"`
		Error    string    `json:"error"`
	}{f.file, f.kind, f.summary, f.text, warnings, reason})
}
