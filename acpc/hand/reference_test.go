package hand

import (
	"bufio"
	"cmp"
	"os"
	"strings"
	"testing"

	"gamebots/acpc/internal/reftest"
)

// TestReferenceShowdowns holds the order against the winners of the original
// dealer's two-player showdowns, read from the lines
// STATE:hand:betting:holes|holes/board:value|value:names.
func TestReferenceShowdowns(t *testing.T) {
	showdowns := 0
	for _, file := range reftest.Files(t, "acpc/logs/*/*.log") {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Split(lines.Text(), ":")
			if fields[0] != "STATE" || strings.Contains(fields[2], "f") {
				continue
			}
			values := strings.Split(fields[4], "|")
			if len(values) != 2 {
				continue
			}
			holes, board, _ := strings.Cut(fields[3], "/")
			board = strings.ReplaceAll(board, "/", "")
			first, second, _ := strings.Cut(holes, "|")
			won := cmp.Compare(ACPC.Rank(cards(t, first+board)), ACPC.Rank(cards(t, second+board)))
			if want := signOf(values[0]); won != want {
				t.Errorf("%s: %s: first player's result is of sign %d, want %d", file, lines.Text(), won, want)
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
