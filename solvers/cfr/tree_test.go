package cfr

import (
	"testing"

	"gamebots/acpc"
)

func leduc() *acpc.Game {
	g := &acpc.Game{
		Name: "leduc", NumPlayers: 2, NumRounds: 2, NumSuits: 2, NumRanks: 3, NumHoleCards: 1,
		RaiseSize: [4]int32{2, 4}, MaxRaises: [4]uint8{2, 2}, NumBoardCards: [4]uint8{0, 1},
	}
	for p := range g.NumPlayers {
		g.Stack[p] = acpc.NoStackLimit
		g.Blind[p] = 1
	}
	return g
}

func TestTree(t *testing.T) {
	tree, ok := NewTree(leduc(), 1000)
	if !ok {
		t.Fatal("leduc does not fit 1000 nodes")
	}
	t.Log(len(tree.Nodes), tree.Decisions, tree.Actions, len(tree.Segments))
}
