package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/registry"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/strategy"
)

// fileKind is a kind of file that gamebots check recognizes.
type fileKind struct {
	name   string // as in --json
	detect func(file string) bool
	check  func(file string) finding
}

// fileKinds are all kinds of files that gamebots check recognizes, in the order in which
// they are tried. The last accepts the names of shipped games and any other file. Files of
// other commands are refused as game definitions.
var fileKinds = []fileKind{
	{"settings", func(file string) bool { return strings.HasSuffix(file, ".toml") }, checkSettings},
	{"snakes", isSnakes, checkSnakes},
	{"game", isStrategy, refuse("a strategy", "gamebots evaluate shows its value")},
	{"game", isDealerLog, refuse("a dealer's log", "gamebots replay --game GAME verifies it")},
	{"game", func(string) bool { return true }, checkGame},
}

// check checks a file by its kind.
func check(file string) finding {
	for _, k := range fileKinds {
		if k.detect(file) {
			f := k.check(file)
			f.file, f.kind = file, k.name
			return f
		}
	}
	panic("the last kind accepts every file")
}

// checkSettings loads a file of settings.
func checkSettings(file string) (f finding) {
	settings := configs.DefaultsFor(file)
	var checks []func() error
	if board, ok := settings.(*configs.Board); ok {
		checks = append(checks, func() error { return registry.CheckBoard(board) })
	}
	if f.err = configs.Load(file, settings, nil, checks...); f.err == nil {
		f.summary, f.text = "settings of "+configs.Describe(settings), configs.Text(settings)
	}
	return f
}

// checkGame reads a game definition, with its warnings.
func checkGame(file string) (f finding) {
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

// refuse returns a check that refuses a file for another command. The hint names the
// command.
func refuse(what, hint string) func(file string) finding {
	return func(file string) finding {
		return finding{err: usererr.WithHint(fmt.Errorf("%s is %s, not a game definition", file, what), hint)}
	}
}

// isStrategy reports whether a file is a strategy.
func isStrategy(file string) bool {
	s, err := strategy.Open(file)
	if err != nil {
		return false
	}
	_ = s.Close() // nothing was written
	return true
}

// logStart is the beginning of a dealer's log of whole matches.
const logStart = "# name/game/hands/seed "

// isDealerLog reports whether a file begins as a dealer's log does.
func isDealerLog(file string) bool {
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, len(logStart))
	n, _ := io.ReadFull(in, start) // the file may be shorter
	text := string(start[:n])
	return text == logStart || strings.HasPrefix(text, "STATE:")
}

// isSnakes reports whether a file has the extension .snake, or its first line that is
// not a comment is a snake or a coil.
func isSnakes(file string) bool {
	if strings.HasSuffix(file, ".snake") {
		return true
	}
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

// checkSnakes checks every sequence of a file, and prints them in canonical form.
func checkSnakes(file string) (f finding) {
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
