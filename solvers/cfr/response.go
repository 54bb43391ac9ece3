package cfr

import "gamebots/solvers/cfr/betting"

// responses are pure strategies: the number of the action that is played in each
// bucket of a decision, which has its buckets at the start of its entries.
type responses []uint16

// follow passes the reach of a decision on to the actions that are played. It is
// no hot loop: best responses take as long as the training against them.
func (r responses) follow(reach, out []float32, actions, width int) {
	for a := range actions {
		to := out[a*width:][:len(reach)]
		for i, x := range reach {
			to[i] = 0
			if int(r[i]) == a {
				to[i] = x
			}
		}
	}
}

// best sets value to the best of the children's values, and remembers which
// action it was: the first of equals.
func (r responses) best(child, value []float32, actions, width int) {
	copy(value, child[:len(value)])
	clear(r[:len(value)])
	for a := 1; a < actions; a++ {
		for i, v := range child[a*width:][:len(value)] {
			if v > value[i] {
				value[i], r[i] = v, uint16(a)
			}
		}
	}
}

// respondTo finds the best response of every player but one to the strategies
// that the others play now.
func (t *Trainer) respondTo(player int) {
	t.walk.down, t.walk.up = t.downPlaying, t.upBest
	for p := range t.Tree.Game.NumPlayers {
		if p != player {
			t.walk.traverse(p)
		}
	}
	t.walk.down, t.walk.up = t.down, t.up
}

// downPlaying multiplies the reach of all but the player asked for, whose own
// does not count.
func (t *Trainer) downPlaying(f *frame[float32], node int32, n *betting.Node, local int32) {
	if int(n.Actor) == t.walk.player {
		return
	}
	reach := vector(f.reach, t.slot(node, int(n.Actor)), f.width)
	out := f.reach[(t.Tree.Game.NumPlayers+int(n.First-node)+int(local))*f.width:]
	matchOther(t.regret.floats[t.Entry[node]+f.in.first:], reach, out, int(n.NumActions), f.stride, f.width)
}

func (t *Trainer) upBest(f *frame[float32], node int32, n *betting.Node, local int32) {
	child := f.value[(int(n.First-node)+int(local))*f.width:]
	value := vector(f.value, local, f.width)
	if int(n.Actor) != t.walk.player {
		sumOther(child, value, int(n.NumActions), f.width)
		return
	}
	t.responses[t.Entry[node]+f.in.first:].best(child, value, int(n.NumActions), f.width)
}
