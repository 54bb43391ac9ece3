package acpc

import (
	"fmt"
	"slices"
	"strings"
)

// String returns the definition as the original server prints it; ParseGame reads it back
// as the same game. A hand ranking other than the original's adds a line.
func (g *Game) String() string {
	var b strings.Builder
	line := func(key string, values any) {
		// A slice prints as [1 2].
		fmt.Fprintf(&b, "%s = %s\n", key, strings.Trim(fmt.Sprint(values), "[]"))
	}
	players, rounds := g.NumPlayers, g.NumRounds
	fmt.Fprintln(&b, beginKey)
	fmt.Fprintln(&b, g.Betting)
	line("numPlayers", players)
	line("numRounds", rounds)
	if slices.ContainsFunc(g.Stack[:players], func(v int32) bool { return v < NoStackLimit }) {
		line("stack", g.Stack[:players])
	}
	line("blind", g.Blind[:players])
	if g.Betting == Limit {
		line("raiseSize", g.RaiseSize[:rounds])
	}
	first := g.FirstPlayer
	for i := range first {
		first[i]++
	}
	if slices.ContainsFunc(first[:rounds], func(v uint8) bool { return v != 1 }) {
		line("firstPlayer", first[:rounds])
	}
	if slices.ContainsFunc(g.MaxRaises[:rounds], func(v uint8) bool { return v != NoRaiseLimit }) {
		line("maxRaises", g.MaxRaises[:rounds])
	}
	line("numSuits", g.NumSuits)
	line("numRanks", g.NumRanks)
	line("numHoleCards", g.NumHoleCards)
	line("numBoardCards", g.NumBoardCards[:rounds])
	if g.HandRanking != 0 {
		line("handRanking", g.HandRanking)
	}
	fmt.Fprintln(&b, endKey)
	return b.String()
}

// String returns "limit" or "nolimit".
func (b Betting) String() string {
	if b == NoLimit {
		return "nolimit"
	}
	return "limit"
}
