package serverbot

import (
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

// A program that does not come to its server, or leaves it, fails at opening a
// game; nothing of it stays.
func TestAbsentProgram(t *testing.T) {
	for _, test := range []struct {
		name    string
		command []string
		want    string
	}{
		{"ends", []string{"true"}, "bot guest has ended"},
		{"fails", []string{"sh", "-c", "echo no such game >&2; exit 3"}, "exit status 3: no such game"},
		{"stays away", []string{"sh", "-c", "sleep 100"}, "does not come to the server within 300ms"},
		{"none", []string{"/none/such"}, "no such file"},
	} {
		bot := &Bot{Name: "guest", Command: test.command, Rules: boards.Nim{}}
		if test.name == "stays away" {
			bot.Start = 300 * time.Millisecond
		}
		_, err := bot.Open(t.Context(), &wire.Game{Game: "a", Rules: "nim", Options: []byte(`{}`)}, 0)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
		if err := bot.Close(); err != nil {
			t.Error(err)
		}
	}
	bot := &Bot{Name: "guest", Command: []string{"true"}, Rules: boards.Nim{}}
	opened := &wire.Game{Rules: "nim", Moves: []wire.Move{{Seat: 1, Move: "1"}}}
	if _, err := bot.Open(t.Context(), opened, 1); err == nil || !strings.Contains(err.Error(), "no opening") {
		t.Errorf("with an opening: %v", err)
	}
}
