package plan

import (
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
)

// A few bytes that unpack to very many are refused, as the games of a shard and as its
// hands.
func TestUnpackedSizeIsLimited(t *testing.T) {
	bomb := pack(make([]byte, 64<<20))
	if len(bomb) > 64<<10 {
		t.Fatalf("%d bytes are no bomb", len(bomb))
	}
	name, text, err := configs.GameText("leduc")
	if err != nil {
		t.Fatal(err)
	}
	game, err := acpc.ParseGame(name, text)
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Name: "bomb", Units: 10, Shard: 10, Tables: [][]int{{0, 1}}, Orders: Orders(2, true)}
	if _, err := BoardGames(p, p.At(0), bomb); err == nil || !strings.Contains(err.Error(), "size") {
		t.Errorf("games: %v", err)
	}
	for _, err := range Hands(p, game, p.At(0), bomb) {
		if err == nil || !strings.Contains(err.Error(), "size") {
			t.Errorf("hands: %v", err)
		}
	}
}

// Whatever a worker sends as a result, and a database as games, is decoded or refused.
func FuzzResult(f *testing.F) {
	whole := &Result{Tally: Tally{Units: 1, Games: 2, Scores: make([]Score, 2)}, Games: pack([]byte(`[{"game":0},{"game":1}]`))}
	text, err := whole.Append(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseResult(text)
		if err != nil {
			return
		}
		p := &Plan{Name: "fuzz", Units: 1, Shard: 1, Tables: [][]int{{0, 1}}, Orders: Orders(2, true)}
		_, _ = BoardGames(p, p.At(0), r.Games)
	})
}
