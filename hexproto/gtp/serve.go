package gtp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Engine is what a controller drives. Its methods are called one at a time; an
// error is what the controller is told.
type Engine interface {
	// Name and Version are the program's.
	Name() string
	Version() string
	// Size starts an empty board of a size, Clear one of the same size.
	Size(n int) error
	Clear() error
	// Play makes a move of a player, Generate decides on one and makes it, Undo
	// takes the last one back. Colours are "white" and "black"; "resign" may be
	// generated.
	Play(colour, move string) error
	Generate(ctx context.Context, colour string) (string, error)
	Undo() error
	// Show draws the board.
	Show() string
	// Settings are the clocks in seconds, as time_settings has them; Left is what
	// a player has for so many stones, 0 in main time.
	Settings(main, byoyomi, stones int) error
	Left(colour string, seconds, stones int) error
	// Extra answers commands of the engine's own, which Commands lists.
	Commands() []string
	Extra(name string, args []string) (string, error)
}

// standard are the commands that Serve knows itself.
var standard = []string{
	"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
	"play", "genmove", "undo", "showboard", "time_settings", "time_left",
}

// Serve answers a controller until it says quit, or its output ends, or the
// context does.
func Serve(ctx context.Context, e Engine, in io.Reader, out io.Writer) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxLine)
	for s.Scan() && ctx.Err() == nil {
		line, _, _ := strings.Cut(clean(s.Text()), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		id := ""
		if _, err := strconv.ParseUint(words[0], 10, 63); err == nil {
			id, words = words[0], words[1:]
		}
		if len(words) == 0 {
			words = []string{""}
		}
		mark := "="
		text, err := answer(ctx, e, words[0], words[1:])
		if err != nil {
			mark, text = "?", err.Error()
		}
		// An empty line would end the answer.
		text = strings.ReplaceAll(strings.TrimSpace(text), "\n\n", "\n \n")
		if text != "" && (mark == "?" || words[0] != "showboard") {
			text = " " + text
		} else if text != "" {
			text = "\n" + text
		}
		if _, err := fmt.Fprintf(out, "%s%s%s\n\n", mark, id, text); err != nil {
			return err
		}
		if words[0] == "quit" {
			return nil
		}
	}
	return s.Err()
}

func answer(ctx context.Context, e Engine, name string, args []string) (string, error) {
	need := func(n int) error {
		if len(args) < n {
			return fmt.Errorf("%s needs %d arguments", name, n)
		}
		return nil
	}
	switch name {
	case "protocol_version":
		return "2", nil
	case "name":
		return e.Name(), nil
	case "version":
		return e.Version(), nil
	case "list_commands":
		return strings.Join(slices.Concat(standard, e.Commands()), "\n"), nil
	case "quit":
		return "", nil
	case "clear_board":
		return "", e.Clear()
	case "undo":
		return "", e.Undo()
	case "showboard":
		return e.Show(), nil
	}
	switch name {
	case "known_command":
		if err := need(1); err != nil {
			return "", err
		}
		return strconv.FormatBool(slices.Contains(standard, args[0]) || slices.Contains(e.Commands(), args[0])), nil
	case "boardsize":
		n, err := numbers(args, 1)
		if err != nil {
			return "", err
		}
		return "", e.Size(n[0])
	case "time_settings":
		n, err := numbers(args, 3)
		if err != nil {
			return "", err
		}
		return "", e.Settings(n[0], n[1], n[2])
	case "play", "genmove", "time_left":
		if err := need(1); err != nil {
			return "", err
		}
		colour, err := colourOf(args[0])
		if err != nil {
			return "", err
		}
		switch name {
		case "genmove":
			return e.Generate(ctx, colour)
		case "play":
			if err := need(2); err != nil {
				return "", err
			}
			return "", e.Play(colour, strings.Join(args[1:], " "))
		}
		n, err := numbers(args[1:], 2)
		if err != nil {
			return "", err
		}
		return "", e.Left(colour, n[0], n[1])
	}
	if slices.Contains(e.Commands(), name) {
		return e.Extra(name, args)
	}
	return "", fmt.Errorf("unknown command")
}

// numbers reads so many whole numbers from 0 up.
func numbers(args []string, n int) ([]int, error) {
	if len(args) < n {
		return nil, fmt.Errorf("%d numbers are needed", n)
	}
	list := make([]int, n)
	for i := range list {
		v, err := strconv.ParseUint(args[i], 10, 31)
		if err != nil {
			return nil, fmt.Errorf("%q is no whole number", args[i])
		}
		list[i] = int(v)
	}
	return list, nil
}

// colourOf reads a colour, in any of the usual spellings.
func colourOf(text string) (string, error) {
	switch strings.ToLower(text) {
	case "w", "white":
		return "white", nil
	case "b", "black":
		return "black", nil
	}
	return "", fmt.Errorf("%q is no colour", text)
}
