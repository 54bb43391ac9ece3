package mccfr

import (
	"cmp"
	"slices"

	"gamebots/acpc"
)

// Of againstPlain traversals of a robust method one is against plain players, and in a sparse game againstLoose are
// against loose ones.
const (
	againstPlain = 8
	againstLoose = 3
)

// isSparse reports whether most information sets of a game are hardly ever visited, as without a limit.
func isSparse(g *acpc.Game) bool { return g.Betting == acpc.NoLimit }

// plainWeight is the weight of traversals against plain players beside the others in a sparse game, and looseWeight of
// those against loose ones. Without a limit, what can be won from plain players is a hundred times what decides between
// two actions against others, so there they hardly count where others come, too. Information sets that only they visit
// learn all the same: a strategy is a ratio of regrets.
const (
	plainWeight = 1. / 64
	looseWeight = 1. / 8
)

// habit is how an opponent plays.
type habit uint8

const (
	noHabit habit = iota // plays the strategy of its regrets
	calls                // calls, like the next two without a look at the cards
	raises               // raises by any size, and calls where it may not
	random               // does anything, but seldom folds
	loose                // plays by its cards
	early                // is loose in the first round, and then plays the strategy of its regrets
)

// temper is how a loose player plays by its cards in a round, in parts of all hands.
type temper struct {
	plays  float32 // it goes on with in a small pot
	stacks float32 // it calls all-in with
	raises float32 // it raises with in a small pot
	bluffs float32 // it raises with besides, chosen at random
}

// drawTempers returns how a loose player plays the first round, and the others. Some play a tenth of the hands and
// others nine. Later they bet what they have: against players who bluff, the strategy would learn to pay others who do
// not.
func (e *external) drawTempers() [2]temper {
	within := func(low, high float32) float32 { // small numbers are more frequent
		x := e.random.Float32()
		return low + float32(float32(x*x)*(high-low))
	}
	return [2]temper{
		{.1 + float32(.8*e.random.Float32()), within(.015, .2), within(0, .4), within(0, .05)},
		{.2 + float32(.6*e.random.Float32()), within(.1, .4), within(.03, .2), within(0, .02)},
	}
}

// runRobust traverses by a robust method.
//
// In a sparse game every visit of the player's own information sets counts in the average, whatever the player's reach:
// so there is an average, too, where the player hardly ever comes. The weights of [external.visit], 1 over the
// probability of what the others did, would leave the average of most sets to a few visits.
func (e *external) runRobust() {
	e.habits, e.share = [acpc.MaxPlayers]habit{}, 1
	drawn, weight := e.random.IntN(againstPlain), e.worker.weight
	switch {
	case !isSparse(e.Rules) && drawn > 0:
		e.visit(0, 1, e.stack)
		return
	case drawn == 0:
		e.drawHabits()
		if isSparse(e.Rules) {
			e.share = 1 / plainWeight // a visit is a visit
		}
	case drawn <= againstLoose:
		e.drawLoose()
		e.share = 1 / looseWeight
	}
	e.worker.weight = weight / e.share
	e.visitOwn(0, 1, e.stack)
	e.worker.weight = weight
}

// drawHabits gives one habit to all opponents, or to about half of them.
func (e *external) drawHabits() {
	drawn, all := calls+habit(e.random.IntN(int(random))), e.random.IntN(2) == 0
	for p := range e.Rules.NumPlayers {
		if p != e.player && (all || e.random.IntN(2) == 0) {
			e.habits[p] = drawn
		}
	}
}

// drawLoose makes loose players of all opponents, or of about half of them.
func (e *external) drawLoose() {
	all := e.random.IntN(2) == 1
	for p := range e.Rules.NumPlayers {
		if p != e.player && (all || e.random.IntN(2) == 0) {
			e.habits[p], e.tempers[p] = early, e.drawTempers()
			if e.random.IntN(2) == 0 {
				e.habits[p] = loose
			}
		}
	}
}

// act returns an action by a habit at a decision of the game.
func (e *external) act(h habit, i int32) int {
	actions, call := int(e.Nodes[i].Actions), 0
	if e.Folds[i] {
		call = 1
	}
	switch {
	case h >= loose:
		return e.actLoosely(i, call)
	case h == calls:
		return call
	case h == raises && actions > call+1:
		return call + 1 + e.random.IntN(actions-call-1)
	case h == raises:
		return call
	case call > 0 && e.random.IntN(16) == 0:
		return 0
	}
	return call + e.random.IntN(actions-call)
}

// actLoosely returns an action of a loose player, to whom call is that of calling. The more of the stack is at stake,
// the better the hand has to be.
func (e *external) actLoosely(i int32, call int) int {
	n := &e.Nodes[i]
	t := &e.tempers[n.Actor][min(n.Round, 1)]
	better := 1 - e.strengths.of(e.Game, n, e.deal.Rows[n.Actor][n.Round]) // the part of all hands that is
	left := 1 - e.Committed[i]
	left *= left
	raises := int(n.Actions) - call - 1
	if raises > 0 && (better < float32(t.raises*left*left*left*left) || e.random.Float32() < float32(t.bluffs*left)) {
		if e.random.IntN(8) > 0 {
			raises = 1
		}
		return call + 1 + e.random.IntN(raises)
	}
	if call > 0 && better > t.stacks+float32((t.plays-t.stacks)*left) {
		return 0
	}
	return call
}

// visitOwn is visit where some players may have habits. The player's own strategy is summed instead of the next
// player's: in proportion to the player's own reach, or in a sparse game by visits. A visit of a set that has learned
// nothing yet does not count there.
func (e *external) visitOwn(i int32, reach float32, stack []float32) float32 {
	if i < 0 {
		if m := e.Merged(i); m != nil {
			return e.visitOwn(m.Node, reach, stack) + m.More[e.player]
		}
		return e.Terminals.Value(^i, e.player, e.deal.Best)
	}
	n := &e.Nodes[i]
	children := e.ChildrenOf(n)
	if h := e.habits[n.Actor]; h != noHabit && (h != early || n.Round == 0) {
		return e.visitOwn(children[e.act(h, i)], reach, stack)
	}
	entry := e.deal.Entry(n)
	sigma, stack := stack[:len(children)], stack[len(children):]
	e.match(sigma, entry)
	if int(n.Actor) != e.player {
		return e.visitOwn(children[sampleAction(sigma, e.random.Float32())], reach, stack)
	}
	values, stack := stack[:len(children)], stack[len(children):]
	mean := float32(0)
	for a, child := range children {
		values[a] = e.visitOwn(child, reach*sigma[a], stack)
		mean += float32(sigma[a] * values[a])
	}
	if !isSparse(e.Rules) {
		e.updateStrategy(entry, sigma, reach)
	} else if e.hasLearned(entry, len(sigma)) {
		e.updateStrategy(entry, sigma, e.share)
	}
	e.updateRegrets(entry, values, mean)
	return mean
}

// strengths has, by round and bucket, the part of all hands that is weaker.
type strengths [acpc.MaxRounds][]float32

// of returns the strength of the player's bucket at a decision, whose row is given.
func (s *strengths) of(g *Game, n *Node, row int) float32 {
	rows := &g.Rows[n.Round][n.Actor]
	return s[n.Round][(row-rows.First)/rows.Width]
}

// strengthDeals is how many deals of each bucket newStrengths wants in the mean.
const strengthDeals = 1 << 10

// newStrengths orders the buckets of each round by how often they win against one other hand.
func newStrengths(g *Game, seed uint64) *strengths {
	type count struct {
		bucket     int
		dealt, won float64 // a tie is half won
	}
	counts, all, most := [acpc.MaxRounds][]count{}, [acpc.MaxRounds]float64{}, 0
	for r := range g.Rules.NumRounds {
		for b := range g.Buckets.NumBuckets(r) {
			counts[r] = append(counts[r], count{bucket: b})
		}
		most = max(most, len(counts[r]))
	}
	deal, random := NewDeal(g), NewStream(seed, 0, nobody)
	for range strengthDeals * most {
		deal.Draw(&random)
		for p := range g.Rules.NumPlayers {
			q := (p + 1) % g.Rules.NumPlayers
			best := deal.Best[1<<p|1<<q]
			for r := range g.Rules.NumRounds {
				if rows := &g.Rows[r][p]; rows.Width > 0 {
					c := &counts[r][(deal.Rows[p][r]-rows.First)/rows.Width]
					c.dealt++
					all[r]++
					c.won += float64(1+int(best>>p&1)-int(best>>q&1)) / 2
				}
			}
		}
	}
	s := new(strengths)
	for r, buckets := range counts {
		s[r] = make([]float32, len(buckets))
		slices.SortStableFunc(buckets, func(a, b count) int { return cmp.Compare(a.won*b.dealt, b.won*a.dealt) })
		weaker := 0.
		for _, c := range buckets {
			s[r][c.bucket] = float32((weaker + c.dealt/2) / all[r])
			weaker += c.dealt
		}
	}
	return s
}
