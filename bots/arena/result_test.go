package arena

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
