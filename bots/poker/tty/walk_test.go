package tty

import (
	"errors"
	"io"
	"strings"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/policy/browse"
)

// A walk follows actions and goes back, tells of commands that there are not, and ends with its input.
func TestWalk(t *testing.T) {
	g, err := configs.Game("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	s, err := browse.New(trained(t, g), 1)
	if err != nil {
		t.Fatal(err)
	}
	start, err := s.Parse("", "")
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"k", "b", "x", "u", "2", "?", "Quit", "never read"}
	readLine := func() (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		line := lines[0]
		lines = lines[1:]
		return line, true
	}
	var shown []string
	var out strings.Builder
	show := func(n *browse.Node) error { shown = append(shown, n.Betting); return nil }
	if err := Walk(s, start, readLine, &out, show); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shown, ","); got != ",c,cr,c,cr" || len(lines) != 1 ||
		!strings.Contains(out.String(), "u goes up") {
		t.Errorf("shown %s, %d lines left, printed %s", got, len(lines), &out)
	}
	failed := errors.New("no space")
	if err := Walk(s, start, readLine, io.Discard, func(*browse.Node) error { return failed }); !errors.Is(err,
		failed) {
		t.Errorf("an error of show is lost: %v", err)
	}
}
