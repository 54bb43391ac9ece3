package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Engine answers the commands of a controller. Its methods are called one at a time.
// The text of an error is the answer to the command.
type Engine interface {
	// Name and Version name the program.
	Name() string
	Version() string
	// Size starts a game on a board of a size, Clear one on a board of the same size.
	Size(n int) error
	Clear() error
	// Play makes a move of a colour, "white" or "black". Generate decides on a move and
	// makes it; it may return "resign". Consider decides without making the move. Undo takes
	// back the last move.
	Play(colour, move string) error
	Generate(ctx context.Context, colour string) (string, error)
	Consider(ctx context.Context, colour string) (string, error)
	Undo() error
	// Show draws the board.
	Show() string
	// Settings sets the clocks in seconds, as time_settings does. Left sets the time
	// that a colour has for its next stones, 0 in main time.
	Settings(main, byoyomi, stones int) error
	Left(colour string, seconds, stones int) error
	// Extra answers the engine's own commands, which Commands lists.
	Commands() []string
	Extra(name string, args []string) (string, error)
}

// standardCommands are the commands that Serve answers for every engine.
var standardCommands = []string{
	"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
	"play", "genmove", "undo", "showboard", "time_settings", "time_left", "reg_genmove",
}

// arguments are the arguments that commands need.
var arguments = map[string][]string{
	"known_command": {"COMMAND"}, "boardsize": {"SIZE"}, "play": {"COLOUR", "MOVE"}, "genmove": {"COLOUR"},
	"reg_genmove":   {"COLOUR"},
	"time_settings": {"MAIN", "BYO", "STONES"}, "time_left": {"COLOUR", "SECONDS", "STONES"},
}

// Serve answers a controller until it sends quit, its output ends, or the context
// ends. After the last, a goroutine stays until the next read from in returns.
func Serve(ctx context.Context, e Engine, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan string)
	var readErr error
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(in)
		scan.Buffer(nil, maxLine)
		for scan.Scan() {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
		}
		if readErr = scan.Err(); errors.Is(readErr, bufio.ErrTooLong) {
			readErr = fmt.Errorf("a command of more than %d bytes", maxLine)
		}
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return readErr
			}
			if quit, err := do(ctx, e, line, out); quit || err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// do runs the command of a line and writes the answer.
func do(ctx context.Context, e Engine, line string, out io.Writer) (quit bool, err error) {
	line, _, _ = strings.Cut(clean(line), "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	id := ""
	if _, err := strconv.ParseUint(words[0], 10, 63); err == nil {
		id, words = words[0], words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	text, err := answer(ctx, e, words[0], words[1:])
	if err == nil && words[0] == "showboard" && text != "" {
		text = "\n" + text
	}
	return words[0] == "quit", write(out, id, text, err)
}

// write writes an answer, or an error.
func write(out io.Writer, id, text string, err error) error {
	mark := "="
	if err != nil {
		mark, text = "?", err.Error()
	}
	// A drawing begins on a line of its own.
	space, body := " ", strings.TrimSpace(text)
	switch {
	case body == "":
		space = ""
	case strings.HasPrefix(text, "\n"):
		space, body = "\n", strings.Trim(text, "\n")
	}
	body = strings.ReplaceAll(body, "\n\n", "\n \n") // an empty line would end the answer
	_, err = fmt.Fprintf(out, "%s%s%s%s\n\n", mark, id, space, body)
	return err
}

func answer(ctx context.Context, e Engine, name string, args []string) (string, error) {
	switch name {
	case "protocol_version":
		return "2", nil
	case "name":
		return e.Name(), nil
	case "version":
		return e.Version(), nil
	case "list_commands":
		return strings.Join(commands(e), "\n"), nil
	case "quit":
		return "", nil
	case "clear_board":
		return "", e.Clear()
	case "undo":
		return "", e.Undo()
	case "showboard":
		return e.Show(), nil
	}
	if want := arguments[name]; len(args) < len(want) {
		return "", fmt.Errorf("want %s %s", name, strings.Join(want, " "))
	}
	switch name {
	case "known_command":
		return strconv.FormatBool(slices.Contains(commands(e), args[0])), nil
	case "boardsize":
		n, err := numbers(args[:1])
		if err != nil {
			return "", err
		}
		return "", e.Size(n[0])
	case "time_settings":
		n, err := numbers(args[:3])
		if err != nil {
			return "", err
		}
		return "", e.Settings(n[0], n[1], n[2])
	case "play", "genmove", "reg_genmove", "time_left":
		colour, err := colourOf(args[0])
		if err != nil {
			return "", err
		}
		switch name {
		case "genmove":
			return e.Generate(ctx, colour)
		case "reg_genmove":
			return e.Consider(ctx, colour)
		case "play":
			return "", e.Play(colour, strings.Join(args[1:], " "))
		}
		if strings.HasPrefix(args[1], "-") { // a clock that has run out
			if _, err := strconv.ParseInt(args[1], 10, 32); err == nil {
				args = append([]string{args[0], "0"}, args[2:]...)
			}
		}
		n, err := numbers(args[1:3])
		if err != nil {
			return "", err
		}
		return "", e.Left(colour, n[0], n[1])
	}
	if slices.Contains(e.Commands(), name) {
		return e.Extra(name, args)
	}
	return "", errors.New("unknown command")
}

// commands lists the commands that an engine understands.
func commands(e Engine) []string {
	return slices.Concat(standardCommands, e.Commands())
}

// numbers parses non-negative integers.
func numbers(args []string) ([]int, error) {
	list := make([]int, len(args))
	for i, text := range args {
		v, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number from 0 up", text)
		}
		list[i] = int(v)
	}
	return list, nil
}

// colourOf parses a colour in any of the usual spellings.
func colourOf(text string) (string, error) {
	switch strings.ToLower(text) {
	case "w", "white":
		return "white", nil
	case "b", "black":
		return "black", nil
	}
	return "", fmt.Errorf("%q is not a colour", text)
}
