package resolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/resolve/spot"
)

// round is a round of a hand that is solved.
type round struct {
	*NoLimit
	key   string // names the hand up to the round's start
	index int
	// players are the positions of the two who come to the round, in the order in which they act. own is which of them
	// the player is.
	players [2]int
	own     int
	start   *acpc.State
	spent   int32 // what each has put in before
	spot    spot.Spot
	// reach is the probability, by player and hand, with which the players reach the round.
	reach [2][]float64
	// plain reports whether these are the ranges of the blueprint, because nothing was solved before.
	plain bool
	// mapped is how the hand is most probably mapped to the betting of the blueprint; nil after a
	// solved turn, or if the blueprint has lost the hand.
	mapped *betting.Translation
	// path are the solutions along the last line, each nested in the one before. plainest is the first one without
	// other bets than the menu's, which are asked for between lines with such bets.
	path     []*solution
	plainest *solution
	// whole is set for a flop that is solved to the end of the hand. menus are those that are smaller than
	// its own.
	whole bool
	menus []spot.Menu
	kind  kind // kind of solutions on a device
}

// enter returns a round of the hand of a state, in which the player is to act.
func (p *NoLimit) enter(ctx context.Context, s *acpc.State, number int) (*round, error) {
	start := startOf(s, number)
	board := s.Board[:p.game.BoardCards(number)]
	key := fmt.Sprintf("%d %d %v %s", s.HandID, s.Actor(), board, start.AppendBetting(nil))
	if r := p.rounds[number]; r != nil && r.key == key {
		return r, nil
	}
	r := &round{NoLimit: p, key: key, index: number, start: start, spent: start.MaxSpent(), kind: wholeTurn}
	r.players, _ = playersOf(start)
	r.own = slices.Index(r.players[:], s.Actor())
	var before *round
	var err error
	if _, two := playersOf(startOf(s, number-1)); two && number > p.options.From {
		if before, err = p.enter(ctx, s, number-1); err != nil {
			return nil, err
		}
	}
	var last *solution     // last solution of the round before
	var line []spot.Action // betting of the round before
	if r.plain = before == nil || before.plain && before.unsolved(); r.plain {
		r.reach[r.own], r.reach[1-r.own], err = p.trunk.At(start, s.Actor(), r.players[1-r.own])
		r.mapped = p.trunk.Likeliest()
	} else {
		line = before.line(s)
		last, r.reach, err = before.leave(ctx, line)
	}
	if err != nil {
		return nil, err
	}
	r.spot = spot.Spot{
		Board: slices.Clone(board), Pot: int(start.Pot().Chips()), MinBet: int(p.game.MaxBlind()),
		Stack:  int(min(p.game.Stack[r.players[0]], p.game.Stack[r.players[1]]) - r.spent),
		Ranges: p.ranges(r.reach, r.own, card.SetOf(board...)),
	}
	if number == Flop {
		r.whole, err = r.chooseWhole(ctx)
	} else if r.spot.Offer, err = r.offer(ctx, last, line); err == nil {
		err = r.choose(ctx)
	}
	if err != nil {
		return nil, err
	}
	p.rounds[number] = r
	return r, nil
}

// choose takes the first menu with which the memory is enough, or else the last. Bets of the
// opponent are left out if it is enough with none. When the context is done it takes the last.
func (r *round) choose(ctx context.Context) error {
	memory := r.memory[r.index]
	if r.onDevice() {
		memory *= deviceMemory
		if _, timed := ctx.Deadline(); timed {
			most := r.options.Device.limit(ctx, wholeTurn, min(turnIterations, r.options.Iterations), 0)
			memory = min(memory, int64(8*most)) // 32 bits for a regret, and for a sum
		}
	}
	for _, m := range r.withBets(menus[r.index]) {
		r.spot.Menu = m
		if ctx.Err() != nil {
			continue
		}
		bytes, err := spot.Measure(&r.spot, r.spotOptions())
		if errors.Is(err, spot.ErrTooManyNodes) {
			continue
		}
		if err != nil || bytes <= memory {
			return err
		}
	}
	return nil
}

// spotOptions returns the options of all solutions.
func (r *round) spotOptions() spot.Options {
	if r.onDevice() {
		return optionsOf(&r.spot, r.kind, r.options.Threads)
	}
	return optionsOf(&r.spot, packedFlop, r.options.Threads)
}

// optionsOf returns the options for a spot of a kind.
func optionsOf(s *spot.Spot, k kind, threads int) spot.Options {
	a := algorithm(s)
	a.Quantized = k == packedFlop
	return spot.Options{Algorithm: a, Threads: threads, Memory: math.MaxInt64}
}

// onDevice reports whether solutions are made on a device. A river has too few hands to keep one
// busy.
func (r *round) onDevice() bool {
	d := r.options.Device
	return d != nil && (r.whole || r.index == Turn && d.worthwhile())
}

// startOf returns the hand of a state at the start of a round.
func startOf(s *acpc.State, round int) *acpc.State {
	start := s.Game().NewState(s.HandID)
	start.Holes, start.Board = s.Holes, s.Board
	for r := range round {
		for _, a := range s.Actions(r) {
			start.Apply(a)
		}
	}
	return &start
}

// playersOf returns the positions of those who are left at the start of a round, in the order in which they act, if
// they are two. With more, the last round of betting may have left others all-in.
func playersOf(start *acpc.State) (players [2]int, two bool) {
	g, n := start.Game(), 0
	for i := range g.NumPlayers {
		if p := (int(g.FirstPlayer[start.Round()]) + i) % g.NumPlayers; !start.Folded(p) {
			players[min(n, 1)] = p
			n++
		}
	}
	return players, n == 2
}

// ranges returns the ranges of the players out of position and in position on a board. If no
// hand of a player leads there, its range is all hands. So is that of the opponent of one of them
// if none of its probable hands is possible beside one of the player's.
func (p *NoLimit) ranges(reach [2][]float64, own int, board card.Set) (all [2]*ranges.Range) {
	if !p.possible(reach, board) {
		reach[1-own] = make([]float64, len(p.holes))
	}
	for q, weights := range reach {
		most := p.most(weights, board)
		r := new(ranges.Range)
		for i, hole := range p.holes {
			switch {
			case hole&board != 0:
			case most == 0:
				r.Set(hole, 1)
			default:
				r.Set(hole, weights[i]/most)
			}
		}
		all[q] = r
	}
	return all
}

// most returns the largest weight of a hand that is possible on a board.
func (p *NoLimit) most(weights []float64, board card.Set) (most float64) {
	for i, hole := range p.holes {
		if hole&board == 0 {
			most = max(most, weights[i])
		}
	}
	return most
}

// possible reports whether two probable hands can be held on a board. Others are lost by rounding beside them.
func (p *NoLimit) possible(reach [2][]float64, board card.Set) bool {
	const probable = 1e-4 // as a part of the most probable one
	var hands [2][]card.Set
	for q, weights := range reach {
		most := p.most(weights, board)
		for i, hole := range p.holes {
			if hole&board == 0 && weights[i] >= probable*most {
				hands[q] = append(hands[q], hole)
			}
		}
	}
	for _, x := range hands[0] {
		if slices.ContainsFunc(hands[1], func(y card.Set) bool { return x&y == 0 }) {
			return true
		}
	}
	return false
}

// line returns the betting of the round in a state.
func (r *round) line(s *acpc.State) (line []spot.Action) {
	facing := false
	for _, a := range s.Actions(r.index) {
		line = append(line, r.spotAction(a, facing))
		facing = a.Type == acpc.Raise
	}
	return line
}

// spotAction returns an action of a player who may be facing a bet. What a player puts in
// beyond the smaller stack does not count.
func (r *round) spotAction(a acpc.Action, facing bool) spot.Action {
	to := min(int(a.Size-r.spent), r.spot.Stack)
	switch {
	case a.Type == acpc.Fold:
		return spot.Action{Kind: spot.Fold}
	case a.Type == acpc.Raise && facing:
		return spot.Action{Kind: spot.Raise, To: to}
	case a.Type == acpc.Raise:
		return spot.Action{Kind: spot.Bet, To: to}
	case facing:
		return spot.Action{Kind: spot.Call}
	}
	return spot.Action{Kind: spot.Check}
}

// played is the inverse of spotAction.
func (r *round) played(a spot.Action) acpc.Action {
	switch a.Kind {
	case spot.Fold:
		return acpc.Action{Type: acpc.Fold}
	case spot.Check, spot.Call:
		return call
	}
	return acpc.Action{Type: acpc.Raise, Size: r.spent + int32(a.To)}
}

// acts reports whether the player acts next in a round that has had actions.
func (r *round) acts(actions int) bool {
	return actions%2 == r.own
}
