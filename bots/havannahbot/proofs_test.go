package havannahbot

import (
	"os"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
)

// An analysis proves what an exhaustive search has proved.
func TestProofs(t *testing.T) {
	text, err := os.ReadFile("testdata/proofs.txt")
	if err != nil {
		t.Fatal(err)
	}
	positions := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		value, rest, _ := strings.Cut(strings.TrimSpace(line), " ") // "win" or "loss", for the player to move
		_, record, _ := strings.Cut(rest, " ")                      // the plies
		r, err := havannah.ParseRecord(record)
		if err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		rated, err := Analysis{Simulations: 20_000, Memory: 32 << 20}.Rate(t.Context(), &r.Board)
		if err != nil {
			t.Fatal(err)
		}
		if positions++; rated[0].Proof != value {
			t.Errorf("%s: %+v, a %s", record, rated[0], value)
		}
	}
	if positions != 50 {
		t.Errorf("%d positions", positions)
	}
}
