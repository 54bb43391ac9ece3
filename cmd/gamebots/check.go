package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gamebots/bots/files"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	asJSON := false
	cmd := explain(&cobra.Command{
		Use:   "check FILE|GAME...",
		Short: "Check files of all kinds, and print how the program reads them",
		Args:  cli.Arguments(1, cli.AnyNumber),
		RunE: func(cmd *cobra.Command, names []string) error {
			show := printFinding
			if asJSON {
				show = printFindingJSON
			}
			bad := 0
			for _, name := range names {
				f := files.Check(name)
				if f.Err != nil {
					bad++
				}
				if err := show(cmd.OutOrStdout(), f); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%s cannot be used", usererr.Counted(bad, "file", "files"))
			}
			return nil
		},
	}, "check")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

func printFinding(w io.Writer, f files.Finding) error {
	var b strings.Builder
	for _, warning := range f.Warnings {
		fmt.Fprintf(&b, "warning: %v\n", warning)
	}
	if f.Err != nil {
		for line := range strings.Lines(f.Err.Error() + "\n") {
			b.WriteString("error: " + line)
		}
		if hint := usererr.Hint(f.Err); hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", hint)
		}
	} else {
		fmt.Fprintf(&b, "%s: %s\n", f.File, f.Summary)
		for line := range strings.Lines(f.Text) {
			if line != "\n" {
				b.WriteString("  " + line)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printFindingJSON(w io.Writer, f files.Finding) error {
	type warning struct {
		Line int    `json:"line"`
		Key  string `json:"key"`
		Text string `json:"text"`
	}
	warnings := make([]warning, len(f.Warnings))
	for i, v := range f.Warnings {
		warnings[i] = warning{v.Line, v.Key, v.Msg}
	}
	reason := ""
	if f.Err != nil {
		reason = f.Err.Error()
	}
	return json.NewEncoder(w).Encode(struct {
		File     string    `json:"file"`
		Kind     string    `json:"kind"`
		Summary  string    `json:"summary"`
		Text     string    `json:"text"`
		Warnings []warning `json:"warnings"`
		Error    string    `json:"error"`
	}{f.File, f.Kind, f.Summary, f.Text, warnings, reason})
}
