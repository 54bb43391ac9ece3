package bestresponse

import (
	"math/bits"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// deck numbers the cards and the hole cards of a game.
type deck struct {
	game  *acpc.Game
	cards []card.Card
	// holes are all sets of hole cards, numbered in this order. pair has the
	// positions in cards of each; with one hole card both are the same.
	holes []card.Set
	pair  [][2]uint8
	// classes are the hole cards that a renaming of the suits joins.
	classes [][]int32
	// renamings are the permutations of the suits under which the strategy is the
	// same, the identity first. origin has, by renaming, the hole cards that become each.
	renamings []abstraction.Renaming
	origin    [][]uint32
}

func newDeck(g *acpc.Game, symmetric bool) *deck {
	d := &deck{game: g, cards: g.Deck()}
	position := map[card.Set]uint8{}
	for i, c := range d.cards {
		position[c.Bit()] = uint8(i)
	}
	card.Subsets(d.cards, g.NumHoleCards, func(s card.Set) {
		d.holes = append(d.holes, s)
		lowest := card.Set(1) << bits.TrailingZeros64(uint64(s))
		highest := card.Set(1) << (63 - bits.LeadingZeros64(uint64(s)))
		d.pair = append(d.pair, [2]uint8{position[lowest], position[highest]})
	})
	p := abstraction.Renaming{0, 1, 2, 3}
	var permute func(from int)
	permute = func(from int) {
		if from == card.NumSuits {
			d.renamings = append(d.renamings, p)
			return
		}
		for i := from; i < card.NumSuits; i++ {
			p[from], p[i] = p[i], p[from]
			permute(from + 1)
			p[from], p[i] = p[i], p[from]
		}
	}
	permute(card.NumSuits - g.NumSuits) // a small deck has the last suits
	if !symmetric {
		d.renamings = d.renamings[:1]
	}
	d.classes = d.joined(0, d.renamings)
	number := map[card.Set]uint32{}
	for h, hole := range d.holes {
		number[hole] = uint32(h)
	}
	for _, p := range d.renamings {
		origin := make([]uint32, len(d.holes))
		for h, hole := range d.holes {
			origin[number[p.Of(hole)]] = uint32(h)
		}
		d.origin = append(d.origin, origin)
	}
	return d
}

// joined returns the classes of hole cards that some renamings, a group, join, for those
// that share no card with a board. They are in the order of their first hands.
func (d *deck) joined(board card.Set, group []abstraction.Renaming) (classes [][]int32) {
	index := map[card.Set]int{}
	for h, hole := range d.holes {
		if hole&board != 0 {
			continue
		}
		least := hole
		for _, p := range group {
			least = min(least, p.Of(hole))
		}
		i, ok := index[least]
		if !ok {
			i = len(classes)
			index[least] = i
			classes = append(classes, nil)
		}
		classes[i] = append(classes[i], int32(h))
	}
	return classes
}

// board is a canonical board: the cards of each round, how many boards it stands for
// given the board before, and the renamings that leave it as it is.
type board struct {
	cards [acpc.MaxRounds]card.Set
	all   card.Set
	count float64
	group []abstraction.Renaming
}

// root is the board before any card.
func (d *deck) root() board { return board{count: 1, group: d.renamings} }

// extend returns the boards of the next round that follow one, each of which stands for
// all that a renaming joins. The round deals at least one card.
func (d *deck) extend(b *board, round int) (next []board) {
	return d.deal(b, round, int(d.game.NumBoardCards[round]))
}

// deal returns the boards with n cards more, which belong to a round.
func (d *deck) deal(b *board, round, n int) (next []board) {
	rest := slices.DeleteFunc(slices.Clone(d.cards), b.all.Has)
	card.Subsets(rest, n, func(s card.Set) {
		var images []card.Set
		child := board{cards: b.cards, all: b.all | s}
		child.cards[round] = s
		for _, p := range b.group {
			image := p.Of(s)
			if image < s {
				return // another stands for it
			}
			if image == s {
				child.group = append(child.group, p)
			}
			if !slices.Contains(images, image) {
				images = append(images, image)
			}
		}
		child.count = float64(len(images))
		next = append(next, child)
	})
	return next
}

// extensions returns how many boards of a round follow each of the round before, given the
// hole cards of both players.
func (d *deck) extensions(round int) float64 {
	left := len(d.cards) - 2*d.game.NumHoleCards
	if round > 0 {
		left -= d.game.BoardCards(round - 1)
	}
	return float64(card.Combinations(left, int(d.game.NumBoardCards[round])))
}

// deals returns the number of pairs of hole cards of the two players.
func (d *deck) deals() float64 {
	n, k := len(d.cards), d.game.NumHoleCards
	return float64(card.Combinations(n, k) * card.Combinations(n-k, k))
}
