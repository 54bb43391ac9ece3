package main

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// looseKinds are loose players of no-limit hold'em of several kinds. They remember nothing.
var looseKinds = map[string]loose{
	"rules": byRules, "simulation": bySimulation, "sticky": sticky, "aggressive": aggressive,
}

// loose is a player that enters many pots.
type loose func(v *seen) acpc.Action

func (p loose) Act(ctx context.Context, s *acpc.MatchState) (acpc.Action, error) {
	return p.ActOnState(ctx, &s.State)
}

func (p loose) ActOnState(_ context.Context, s *acpc.State) (acpc.Action, error) {
	v := &seen{State: s, me: s.Actor(), random: rand.New(rand.NewPCG(uint64(s.HandID), uint64(s.NumActions())))}
	for p := range s.Game().NumPlayers {
		v.pot += s.Spent(p)
		if !s.Folded(p) && p != v.me {
			v.opponents++
		}
	}
	v.call = s.MaxSpent() - s.Spent(v.me)
	a, b := s.Holes[v.me][0], s.Holes[v.me][1]
	v.low, v.high, v.suited = min(a.Rank(), b.Rank()), max(a.Rank(), b.Rank()), a.Suit() == b.Suit()
	return p(v), nil
}

// seen is what a loose player looks at.
type seen struct {
	*acpc.State
	me, opponents int
	pot, call     int32
	low, high     int // ranks of the hole cards: a ten is 8, an ace 12
	suited        bool
	random        *rand.Rand
}

// callIf calls if it wants to or need not fold.
func (v *seen) callIf(wants bool) acpc.Action {
	if wants || !v.CanFold() {
		return acpc.Action{Type: acpc.Call}
	}
	return acpc.Action{Type: acpc.Fold}
}

// raiseTo raises to the nearest legal sum, or calls.
func (v *seen) raiseTo(sum int32) acpc.Action {
	least, most, ok := v.RaiseBounds()
	if !ok {
		return acpc.Action{Type: acpc.Call}
	}
	return acpc.Action{Type: acpc.Raise, Size: min(max(sum, least), most)}
}

// raise raises by a part of the pot.
func (v *seen) raise(part float64) acpc.Action {
	return v.raiseTo(v.MaxSpent() + int32(part*float64(v.pot+v.call)))
}

// odds returns which part of the pot a call costs.
func (v *seen) odds() float64 { return float64(v.call) / float64(v.pot+v.call) }

// chen returns the points of the hole cards by Chen's formula, unrounded: aces 20, ace-king 10, seven-two −2.
func (v *seen) chen() float64 {
	points := [13]float64{1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10}[v.high]
	if v.low == v.high {
		return max(5, 2*points)
	}
	if v.suited {
		points += 2
	}
	gap := v.high - v.low - 1
	if gap <= 1 && v.high < 10 {
		points++
	}
	return points - [5]float64{0, 1, 2, 4, 5}[min(gap, 4)]
}

// made returns how many categories a hand is above that of the board, and whether it has four cards of a suit and a
// card to come.
func (v *seen) made() (categories int, draw bool) {
	g := v.Game()
	board := card.SetOf(v.Board[:g.BoardCards(v.Round())]...)
	all := board | card.SetOf(v.Holes[v.me][:2]...)
	for suit := range g.NumSuits {
		draw = draw || v.Round() < 3 && bits.OnesCount16(uint16(all>>(16*suit))) == 4
	}
	return int(g.HandRanking.Rank(all)>>26) - int(g.HandRanking.Rank(board)>>26), draw
}

// equity returns which part of the pot random boards and hands of the opponents, three at most, leave.
func (v *seen) equity() float64 {
	const runs = 60
	g, won := v.Game(), 0.
	deck, dealt := g.Deck(), g.BoardCards(v.Round())
	for range runs {
		board := card.SetOf(v.Board[:dealt]...)
		hole := card.SetOf(v.Holes[v.me][:2]...)
		used := board | hole
		draw := func() card.Set {
			for {
				if c := deck[v.random.IntN(len(deck))].Bit(); used&c == 0 {
					used |= c
					return c
				}
			}
		}
		for range g.BoardCards(3) - dealt {
			board |= draw()
		}
		mine, best, share := g.HandRanking.Rank(board|hole), true, 1.
		for range min(v.opponents, 3) {
			theirs := g.HandRanking.Rank(board | draw() | draw())
			best = best && theirs <= mine
			if theirs == mine {
				share++
			}
		}
		if best {
			won += 1 / share
		}
	}
	return won / runs
}

// byRules raises before the flop with good cards, calls raises with any pair, ace, suited, adjacent or two high cards,
// and more than 15 big blinds with tens and better pairs and ace-king. Then it raises with two pair and better, and
// calls bets up to the pot with a pair of its own or four to a flush.
func byRules(v *seen) acpc.Action {
	raise, play := false, false
	if v.Round() == 0 {
		best := v.low == v.high && v.low >= 8 || v.low == 11 && v.high == 12
		raise = v.call <= 1500 && (best && v.NumRaises() < 2 || v.NumRaises() == 0 && v.low >= 8)
		play = best ||
			v.call <= 1500 && (v.low == v.high || v.suited || v.high == 12 || v.low >= 8 || v.high-v.low == 1)
	} else {
		made, draw := v.made()
		raise = made >= 2 && v.NumRaises() < 2
		play = made >= 2 || (made == 1 || draw) && v.call <= v.pot/2
	}
	if raise {
		return v.raise(.6)
	}
	return v.callIf(play)
}

// bySimulation is alike before the flop. Later it calls for its part of the pot.
func bySimulation(v *seen) acpc.Action {
	if v.Round() > 0 {
		equity := v.equity()
		if equity > .7 && v.NumRaises() < 2 {
			return v.raise(.6)
		}
		return v.callIf(equity > v.odds()+.03)
	}
	switch points := v.chen(); {
	case v.call > 1500:
		return v.callIf(points >= 10)
	case v.NumRaises() == 0 && points >= 8:
		return v.raiseTo(250)
	case v.NumRaises() == 1 && points >= 12:
		return v.raiseTo(3 * v.MaxSpent())
	default:
		return v.callIf(points >= 3)
	}
}

// sticky limps with most hands, hardly ever raises, and folds no pair and no draw after the flop.
func sticky(v *seen) acpc.Action {
	if v.Round() > 0 {
		made, draw := v.made()
		if made >= 3 && v.NumRaises() == 0 {
			return v.raise(.5)
		}
		return v.callIf(made > 0 || draw || v.high == 12 && v.Round() == 1 && v.call <= v.pot/2)
	}
	points := v.chen()
	if points >= 14 && v.NumRaises() < 3 {
		return v.raiseTo(4 * v.MaxSpent())
	}
	return v.callIf(v.call <= 400 && points >= 1 || v.call <= 2500 && points >= 7 || points >= 12)
}

// aggressive raises a third of the hands, often again, and bets whenever it may in one case of three.
func aggressive(v *seen) acpc.Action {
	if v.Round() > 0 {
		equity := v.equity()
		if v.NumRaises() < 3 && (equity > .6 || v.NumRaises() == 0 && v.random.IntN(3) == 0) {
			return v.raise(.7)
		}
		return v.callIf(equity > v.odds()+.05)
	}
	switch points := v.chen(); {
	case v.NumRaises() == 0 && points >= 5:
		return v.raiseTo(300 + v.pot/3)
	case v.NumRaises() == 1 && (points >= 9 || v.random.IntN(12) == 0):
		return v.raiseTo(3 * v.MaxSpent())
	case v.NumRaises() > 1 && points >= 13:
		return v.raiseTo(v.Game().Stack[v.me])
	default:
		return v.callIf(v.call <= 300 && points >= 3 || v.call <= 1200 && points >= 7 || points >= 12)
	}
}
