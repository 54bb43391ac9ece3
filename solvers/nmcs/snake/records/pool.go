package records

import (
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// pool keeps snakes or coils of a dimension, by their length: the longest, and those that are a few
// edges shorter. The best halves for the next dimension are rare, not always the longest snakes, and
// snakes that descend from the same halves are much alike. So the pool is large, has all of these
// lengths, and few snakes of one family.
type pool struct {
	longest int                  // edges
	classes [maxShorterBy]*class // classes[n] is n edges shorter than the longest; nil for none
}

// class are snakes of the same length.
type class struct {
	snakes   []pooled
	oldest   int             // place of the oldest snake of a full class
	known    map[string]bool // sequences of the snakes
	families map[uint64]int  // how many snakes are of a family
}

// pooled is a snake of the pool, with the halves that it was made of or that [halvesOf] found, if any.
// Its ends may be others.
type pooled struct {
	whole  cube.Sequence
	halves halves
	turn   HalfTurn // rotation of a coil with equal halves
	family uint64   // snakes of a family descend from the same halves; each walk is one
}

const (
	maxShorterBy = 4    // lengths that the pool has
	maxClass     = 1024 // snakes of a length
	maxFamily    = 4    // snakes of a length and a family
)

// add adds a snake, unless it is known, too short, or the pool has enough of its length and family.
// It reports whether the snake is longer than all others.
func (p *pool) add(x pooled) (longer bool) {
	if more := len(x.whole) - p.longest; more > 0 {
		longer, p.longest = true, len(x.whole)
		kept := p.classes
		clear(p.classes[:])
		copy(p.classes[min(more, maxShorterBy):], kept[:])
	}
	shorter := p.longest - len(x.whole)
	if shorter >= maxShorterBy {
		return false
	}
	c := p.classes[shorter]
	if c == nil {
		c = &class{known: map[string]bool{}, families: map[uint64]int{}}
		p.classes[shorter] = c
	}
	if c.families[x.family] < maxFamily && !c.known[string(x.whole)] {
		c.add(x)
	}
	return longer
}

// add adds a snake, in place of the oldest one if the class is full.
func (c *class) add(x pooled) {
	if len(c.snakes) < maxClass {
		c.snakes = append(c.snakes, x)
	} else {
		old := &c.snakes[c.oldest]
		delete(c.known, string(old.whole))
		if c.families[old.family]--; c.families[old.family] == 0 {
			delete(c.families, old.family)
		}
		*old = x
		c.oldest = (c.oldest + 1) % maxClass
	}
	c.known[string(x.whole)] = true
	c.families[x.family]++
}

// all returns all snakes, the longest ones first.
func (p *pool) all() (all []pooled) {
	for _, c := range p.classes {
		if c != nil {
			all = append(all, c.snakes...)
		}
	}
	return all
}

// draw returns a random snake, or none if the pool is empty: in half of the draws one of the
// longest, in a quarter one of the next length, and so on.
func (p *pool) draw(s *nmcs.Stream) pooled {
	var last *class
	for _, c := range p.classes {
		if c == nil {
			continue
		}
		if last = c; s.Below(2) == 0 {
			break
		}
	}
	if last == nil {
		return pooled{}
	}
	return last.snakes[s.Below(len(last.snakes))]
}
