package page_test

import (
	"os"
	"testing"

	"gamebots/hexproto/havannah"
)

// The diagrams of the page's help are games by the rules. -update draws them.
func TestDiagrams(t *testing.T) {
	for name, game := range map[string]string{
		"ring":   "side=4 winner=white end=ring : c3 a1 c4 a2 d5 g7 e5 g6 e4 b5 d3",
		"bridge": "side=4 winner=white end=bridge : a1 d5 b2 e6 c3 f4 c4 f5 c5 e4 c6 b5 d7",
		"fork":   "side=4 winner=white end=fork : b1 a3 b2 d6 c3 e6 c5 f3 c6 g6 d4 d2 e4 a2 f4 e7 g5 b4 c4",
	} {
		record, err := havannah.ParseRecord(game)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := "site/img/" + name + ".svg"
		picture := record.Board.SVG(nil)
		if *update {
			if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if is, err := os.ReadFile(file); err != nil || string(is) != picture {
			t.Errorf("%s is not the picture of its game (%v); rewrite it with -update", file, err)
		}
	}
}
