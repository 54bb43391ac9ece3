package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/strategy"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check FILE|GAME...",
		Short: "Print what is understood of games, settings and snakes",
		Long: `check reads game definitions and settings (files named *.toml) as the other
commands would, and prints what it understood of each: a game in its canonical
form, settings with every default filled in. Of a file of snakes and coils
(*.snake, or any that begins with one) it checks every one.

For a game it also warns of what the ACPC's server ignores without a word, such
as unknown keys, and of what would make that server hang, abort or go wrong. A
game is printed as that server understands it; one that it misreads or that
overruns its memory is not played by the other commands.
Warnings and errors name file, line and key. The exit status is 1 when a file
cannot be used; warnings alone leave it 0.

With --json there is one object a line for each file:
  {"file", "kind", "summary", "text", "warnings": [{"line", "key", "text"}], "error"}`,
		Example: `  gamebots check leduc
  gamebots check my.game configs/poker.toml
  gamebots check --json *.game
  gamebots check ten.snake`,
		Args: usage(cobra.MinimumNArgs(1)),
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
				return fmt.Errorf("%d of %d cannot be used", bad, len(files))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// finding is what check learns about one file.
type finding struct {
	file     string
	kind     string // "game", "settings" or "snakes"
	summary  string
	text     string // canonical
	warnings []acpc.Warning
	err      error
}

func check(file string) finding {
	if strings.HasSuffix(file, ".toml") {
		f := finding{file: file, kind: "settings"}
		settings := configs.DefaultsFor(file)
		if f.err = configs.Load(file, settings, nil); f.err == nil {
			f.summary, f.text = "settings of a poker bot", configs.Text(settings)
			switch settings.(type) {
			case *configs.Board:
				f.summary = "settings of a board-game bot"
			case *configs.Arena:
				f.summary = "settings of a run of the arena"
			}
		}
		return f
	}
	if strings.HasSuffix(file, ".snake") || holdsSnakes(file) {
		return checkSnakes(file)
	}
	f := finding{file: file, kind: "game"}
	if other, hint := otherKind(file); other != "" {
		f.err = usererr.WithHint(fmt.Errorf("%s: %s, and no game definition", file, other), hint)
		return f
	}
	name, text, err := configs.GameText(file)
	if err != nil {
		f.err = err
		return f
	}
	g, warnings, err := acpc.CheckGame(name, text)
	f.warnings, f.err = warnings, err
	if err == nil {
		f.summary, f.text = summary(g), g.String()
	}
	return f
}

// otherKind says what a file is that other commands are for, "" of all others, and
// which commands those are.
func otherKind(file string) (kind, hint string) {
	if s, err := strategy.Open(file); err == nil {
		_ = s.Close() // it was only looked at
		return "a strategy", "gamebots evaluate says what it is worth"
	}
	in, err := os.Open(file)
	if err != nil {
		return "", ""
	}
	defer in.Close()
	start := make([]byte, len(logStart))
	n, _ := io.ReadFull(in, start) // it may be shorter
	if text := string(start[:n]); text == logStart || strings.HasPrefix(text, "STATE:") {
		return "a dealer's log", "gamebots replay --game GAME verifies it"
	}
	return "", ""
}

// logStart is how the dealer's logs of whole matches begin.
const logStart = "# name/game/hands/seed "

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

// holdsSnakes says whether the first line of a file that is no comment is a snake
// or a coil.
func holdsSnakes(file string) bool {
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			return words[0] == "snake" || words[0] == "coil"
		}
	}
	return false
}

// checkSnakes checks a file of sequences, and prints them as they are written.
func checkSnakes(file string) finding {
	f := finding{file: file, kind: "snakes"}
	in, err := os.Open(file)
	if err != nil {
		f.err = err
		return f
	}
	defer in.Close()
	entries, err := cube.Read(in)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", file, err)
		return f
	}
	var text, summary strings.Builder
	for i, e := range entries {
		fmt.Fprintln(&text, e)
		if i > 0 {
			summary.WriteString(", ")
		}
		fmt.Fprintf(&summary, "%s of %d in dimension %d", e.Rules.Kind(), len(e.Sequence), e.Rules.Dimension)
	}
	f.summary, f.text = summary.String(), text.String()
	return f
}
