package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/dealer"
	"gamebots/acpc/hand"
	"gamebots/bots/poker"
)

// randomHands returns n random hands of a size, each from a full deck. They are the same
// in every run.
func randomHands(n, size int) []card.Set {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(size)))
	deck := card.Deck(card.NumSuits, card.NumRanks)
	hands := make([]card.Set, n)
	for i := range hands {
		for j := range size {
			k := j + rng.IntN(len(deck)-j)
			deck[j], deck[k] = deck[k], deck[j]
		}
		hands[i] = card.SetOf(deck[:size]...)
	}
	return hands
}

// signHand hashes the ranks of hands of every size, by both rankings.
func signHand(_ context.Context, method methods) {
	h := method("")
	sign := func(r hand.Ranking, size int) {
		for _, s := range randomHands(10_000, size) {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Rank(s))))
		}
	}
	for size := 1; size <= 10; size++ {
		sign(hand.ACPC, size)
	}
	sign(hand.ThreeCard, 3)
}

// inProcess returns a match of a shipped game, and a player of one kind for each seat.
func inProcess(game, kind string, hands uint32) (*dealer.Match, []acpc.Player) {
	g := shipped(game)
	m := &dealer.Match{Name: "bench", Game: g, Hands: hands, Seed: 1}
	players := make([]acpc.Player, g.NumPlayers)
	for i := range players {
		players[i] = must(poker.NewOpponent(kind, uint64(i)))
		m.Names = append(m.Names, fmt.Sprint(kind, i))
	}
	return m, players
}

// signDealer hashes the log lines of hands of small and large games.
func signDealer(ctx context.Context, method methods) {
	h := method("")
	var line []byte
	for _, game := range []string{"kuhn-3p", "leduc", "holdem-limit-2p", "holdem-nolimit-3p"} {
		m, players := inProcess(game, "random", 500)
		must(m.Play(ctx, players, func(s *acpc.State) error {
			line = s.AppendResult(line[:0], m.Names)
			_, err := h.Write(append(line, '\n'))
			return err
		}))
	}
}
