package cfr

import (
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/kernels"
)

// responses are pure strategies: the index of the action that is played in each
// bucket. A decision's buckets are at the start of its entries.
type responses []uint16

// follow passes the reach of a decision on to the actions that are played. It has
// no vector version: finding best responses takes as long as all training against
// them.
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

// best sets value to the largest of the children's values, and stores its action,
// the first among equals.
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

// respondTo finds the best response of every other player to the current strategies
// when player is about to be trained.
func (t *Trainer) respondTo(player int) {
	t.traversal.Down, t.traversal.Up = t.downPlaying, t.upBest
	for p := range t.Tree.Game.NumPlayers {
		if p != player {
			t.traversal.Traverse(p)
		}
	}
	t.traversal.Down, t.traversal.Up = t.down, t.up
}

// downPlaying multiplies the reach of all players but the traversal's, whose own
// reach does not count.
func (t *Trainer) downPlaying(f *frame, node int32, n *betting.Node, local int32) {
	if int(n.Actor) == t.traversal.Player {
		return
	}
	reach := f.Vector(f.Reach, t.ReachVector(node, int(n.Actor)))
	out := f.Reach[(t.Tree.Game.NumPlayers+int(n.First-node)+int(local))*f.Width:]
	kernels.MatchOther(t.Regret.Floats[t.Entry(node)+f.Block.First:], reach, out, int(n.NumActions), f.Stride, f.Width)
}

func (t *Trainer) upBest(f *frame, node int32, n *betting.Node, local int32) {
	child := f.Value[(int(n.First-node)+int(local))*f.Width:]
	value := f.Vector(f.Value, local)
	if int(n.Actor) != t.traversal.Player {
		kernels.SumOther(child, value, int(n.NumActions), f.Width)
		return
	}
	t.responses[t.Entry(node)+f.Block.First:].best(child, value, int(n.NumActions), f.Width)
}
