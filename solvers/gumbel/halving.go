package gumbel

import (
	"cmp"
	"math/bits"
	"slices"

	"gamebots/internal/portable"
	"gamebots/solvers/mcts"
)

// halving is sequential halving among the moves of the root (Z. Karnin, T. Koren and
// O. Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013).
type halving struct {
	alive  []int32 // edges
	rounds int     // rounds of the whole search
	budget int     // simulations of the whole search
	begun  int32   // visits of a move at which the round began
	quota  int32   // visits at which it ends
}

// startHalving draws the Gumbel variables of the root's moves and chooses those that are
// considered.
func (s *Search) startHalving(edges []edge) {
	for i := range edges {
		if s.random != nil {
			// A Float64 is below 1, and 0 once in 2^53 times.
			edges[i].gumbel = float32(-portable.Log(-portable.Log(max(s.random.Float64(), 0x1p-54))))
		}
		if edges[i].proof == mcts.Unknown {
			s.alive = append(s.alive, s.nodes[0].edges+int32(i))
		}
	}
	s.sortAlive()
	s.alive = s.alive[:min(len(s.alive), Considered, max(1, s.evaluationsLeft))]
	s.rounds = max(1, bits.Len(uint(len(s.alive)-1)))
	s.startRound()
}

// startRound sets the number of visits that ends a round.
func (s *Search) startRound() {
	s.begun = 0
	for _, e := range s.alive {
		s.begun = max(s.begun, s.edges[e].visits)
	}
	s.setQuota()
}

// setQuota sets the number of visits that ends the round, which has its share of the simulations.
func (s *Search) setQuota() {
	s.quota = s.begun + int32(max(1, s.budget/(s.rounds*len(s.alive))))
}

// chooseRoot returns the root's move to visit next. It reports false if that depends on
// simulations that wait.
func (s *Search) chooseRoot() (int32, bool) {
	s.alive = slices.DeleteFunc(s.alive, func(e int32) bool { return s.edges[e].proof != mcts.Unknown })
	if len(s.alive) == 0 {
		s.considerOthers()
	}
	for {
		next := slices.MinFunc(s.alive, func(a, b int32) int {
			return cmp.Compare(s.edges[a].visits, s.edges[b].visits)
		})
		if s.edges[next].visits < s.quota {
			return s.chooseFree(next)
		}
		if slices.ContainsFunc(s.alive, func(e int32) bool { return s.edges[e].flight > 0 }) {
			return next, false
		}
		s.sortAlive()
		s.alive = s.alive[:(len(s.alive)+1)/2]
		s.startRound()
	}
}

// chooseFree returns the least visited of all moves if a simulation may begin there, or else the least
// visited of those where one may. That is fewer than InFlight visits ahead of the least, so that the
// moves can be compared at any time. It reports false if there is none.
func (s *Search) chooseFree(least int32) (next int32, ok bool) {
	inFlight := max(int32(s.InFlight), 1)
	free := func(e int32) bool { return s.edges[e].flight < inFlight && !slices.Contains(s.blocked, e) }
	if free(least) {
		return least, true
	}
	limit := min(s.edges[least].visits+inFlight-1, s.quota)
	for _, e := range s.alive {
		if visits := s.edges[e].visits; visits < limit && free(e) {
			next, ok, limit = e, true, visits
		}
	}
	return next, ok
}

// considerOthers goes on with the moves that were not considered or were dropped, when all
// others are proved.
func (s *Search) considerOthers() {
	root := s.nodes[0]
	for e := root.edges; e < root.end; e++ {
		if s.edges[e].proof == mcts.Unknown {
			s.alive = append(s.alive, e)
		}
	}
	s.sortAlive()
	s.alive = s.alive[:min(len(s.alive), Considered)]
	s.startRound()
}

// sortAlive sorts moves by variable, logit and value together, best first.
func (s *Search) sortAlive() {
	scale := s.scale(&s.nodes[0])
	score := func(i int32) float64 {
		e := &s.edges[i]
		x := float64(e.gumbel) + float64(e.logit)
		if e.values() > 0 {
			x += float64(scale * float64(e.mean()))
		}
		return x
	}
	slices.SortStableFunc(s.alive, func(a, b int32) int { return cmp.Compare(score(b), score(a)) })
}
