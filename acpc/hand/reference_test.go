package hand

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"gamebots/internal/testkit"
)

// TestReferenceShowdowns compares the order with the winners of the original
// dealer's two-player showdowns, read from the lines
// STATE:hand:betting:holes|holes/board:value|value:names.
func TestReferenceShowdowns(t *testing.T) {
	showdowns := 0
	for _, file := range testkit.ReferenceFiles(t, "acpc/logs/*/*.log") {
		log, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(log)) {
			fields := strings.Split(line, ":")
			if fields[0] != "STATE" || strings.Contains(fields[2], "f") {
				continue
			}
			values := strings.Split(fields[4], "|")
			if len(values) != 2 {
				continue
			}
			// A first board card follows the second player's without a sign.
			first, rest, _ := strings.Cut(strings.ReplaceAll(fields[3], "/", ""), "|")
			second, board := rest[:len(first)], rest[len(first):]
			won := cmp.Compare(ACPC.Rank(cards(t, first+board)), ACPC.Rank(cards(t, second+board)))
			if want := signOf(values[0]); won != want {
				t.Errorf("%s: %sthe first player's result is of sign %d, want %d", file, line, won, want)
			}
			showdowns++
		}
	}
	if showdowns == 0 {
		t.Error("no two-player showdown in the logs")
	}
}

// signOf returns the sign of a number's text.
func signOf(number string) int {
	switch {
	case number == "0":
		return 0
	case strings.HasPrefix(number, "-"):
		return -1
	default:
		return 1
	}
}
