package mccfr

import (
	"gamebots/acpc"
	"gamebots/internal/rng"
)

// Deal is the cards of a hand as a traversal needs them: where everyone's entries
// are, and who has the best hand.
type Deal struct {
	game *Game
	// Rows has, by player and round, the entry at which the row of the player's
	// bucket starts.
	Rows [acpc.MaxPlayers][acpc.MaxRounds]int
	// Best is as BestHands sets it.
	Best  []PlayerSet
	ranks [acpc.MaxPlayers]int32
}

// NewDeal returns a Deal of a game without cards.
func NewDeal(g *Game) Deal { return Deal{game: g, Best: newBestHands(g.Rules.NumPlayers)} }

// Entry returns the entry of a decision's first action on this deal.
func (d *Deal) Entry(n *Node) int { return d.Rows[n.Actor][n.Round] + int(n.Offset) }

// Draw deals all cards of a hand at random: first the board, then the hole cards
// by position.
func (d *Deal) Draw(random *rng.Stream) {
	var v View
	used := uint64(0)
	rules, cards := d.game.Rules, &d.game.Cards
	for r := range rules.NumRounds {
		v.Cards.Board[r], v.Board[r] = cards.Draw(random, &used, int(rules.NumBoardCards[r]))
	}
	for p := range rules.NumPlayers {
		v.Cards.Hole, v.Hole = cards.Draw(random, &used, rules.NumHoleCards)
		for r := range rules.NumRounds {
			d.Rows[p][r] = d.game.Rows[r][p].Of(cards.Bucket(r, &v))
		}
		d.ranks[p] = cards.Rank(&v)
	}
	BestHands(d.Best, &d.ranks)
}

// NewStream returns the random numbers of a player's traversal in an iteration.
// Every traversal has a stream of its own, made from its number, so that checkpoints
// hold none.
func NewStream(seed, iteration uint64, player int) rng.Stream {
	return rng.Stream(rng.Mix(rng.Mix(seed+rng.Golden) + iteration*16 + uint64(player)))
}
