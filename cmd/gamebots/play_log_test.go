package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/bots/poker"

	"github.com/rs/zerolog"
)

// messages returns the messages of a log of JSON lines.
func messages(t *testing.T, log string) (all []string) {
	t.Helper()
	for line := range strings.Lines(log) {
		var entry struct{ Level, Message string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		all = append(all, entry.Level+" "+entry.Message)
	}
	return all
}

// The first fault of a dealer is a warning at once, and all are counted at the end.
func TestLogFaults(t *testing.T) {
	var text strings.Builder
	log := zerolog.New(&text)
	c := client.Client{Game: &acpc.Game{Name: "leduc"}}
	summary := logFaults(&log, &c)
	raise, call := acpc.Action{Type: acpc.Raise}, acpc.Action{Type: acpc.Call}
	for hand := range uint32(50) {
		c.OnRecorded(hand, call, call)
		c.OnRecorded(hand, raise, call)
	}
	c.OnFault(3, errors.New("4c is dealt twice"))
	c.OnFault(4, errors.New("5c is dealt twice"))
	summary()
	want := []string{
		"warn the dealer changed an action; others are counted",
		"warn the dealer made a mistake; others are counted",
		"warn the dealer changed 50 of 100 actions, the first in hand 0: r -> c",
		"warn the dealer made mistakes in 2 hands, the first in hand 3: 4c is dealt twice",
	}
	if got := messages(t, text.String()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}

	text.Reset()
	summary = logFaults(&log, &c)
	c.OnRecorded(0, call, call)
	if summary(); text.Len() > 0 {
		t.Errorf("an honest dealer: %s", &text)
	}
}

// If most solutions are late, a warning early and one at the end say so.
func TestWarnOfLate(t *testing.T) {
	for _, test := range []struct {
		solved, late int
		want         bool
	}{{0, 1, true}, {5, 5, false}, {5, 6, true}, {0, 0, false}} {
		if got := mostlyLate(poker.DecisionCounts{Solved: test.solved, Late: test.late}); got != test.want {
			t.Errorf("%d solved and %d late: %v", test.solved, test.late, got)
		}
	}
}
