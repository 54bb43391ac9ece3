package spot

import (
	"math"
	"sync"

	"gamebots/acpc"
	"gamebots/solvers/policy"
)

// A Continuation is how hands go on after the street that is solved: a strategy of the whole hand,
// with cards in buckets. It keeps what it has read of the strategy, a byte for an entry, and may be
// shared by solvers.
type Continuation struct {
	index *policy.Index
	plays [2]Play
	mutex sync.Mutex
	known [2]map[int32]*weights // weights by decision
}

// Play appends to dst the probabilities of the actions at a decision of a strategy's tree, for a
// bucket of its round. It is called by several goroutines at once.
type Play func(dst []float64, node int32, bucket int) ([]float64, error)

// NewContinuation returns the continuation by a strategy, as it is played by the player whose
// play is given, see [Leaves], and by the other one.
func NewContinuation(x *policy.Index, given, other Play) *Continuation {
	return &Continuation{index: x, plays: [2]Play{given, other}, known: [2]map[int32]*weights{{}, {}}}
}

// The players of a Continuation.
const (
	given = iota
	other
)

// ways are how the other player may choose to go on: as its play says, or with the weights of
// folds, of calls or of raises times Bias.
var ways = [numWays]Action{{goOn, 0}, {goOn, 1}, {goOn, 2}, {goOn, 3}}

const numWays = 4

// Bias is how many times more often folds, calls or raises are in the other ways to go on.
const Bias = 10

// weights are those of the actions at a decision.
type weights struct {
	// of are the weights of four actions after the other by bucket, a byte each, in 255ths:
	// probabilities in fifteenths are exact.
	of [][]uint32
	// biased are the first and the end of the actions that each way takes more often.
	biased [numWays][2]int
}

// tables returns how many of these a decision has.
func tables(actions int) int { return (actions + 3) / 4 }

// at returns the weights of a player at a decision of the strategy's tree.
func (c *Continuation) at(player int, node int32) (*weights, error) {
	c.mutex.Lock()
	w := c.known[player][node]
	c.mutex.Unlock()
	if w != nil {
		return w, nil
	}
	w, err := c.read(player, node)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.known[player][node] = w
	return w, nil
}

func (c *Continuation) read(player int, node int32) (*weights, error) {
	n := &c.index.Tree.Nodes[node]
	actions, buckets := int(n.NumActions), c.index.Buckets.NumBuckets(int(n.Round))
	w := &weights{of: make([][]uint32, tables(actions))}
	for i := range w.of {
		w.of[i] = make([]uint32, buckets)
	}
	var row []float64
	for b := range buckets {
		var err error
		if row, err = c.plays[player](row[:0], node, b); err != nil {
			return nil, err
		}
		for a, x := range row {
			w.of[a/4][b] |= uint32(math.Round(math.MaxUint8*x)) << (8 * (a % 4))
		}
	}
	call := 0
	if c.index.Tree.Nodes[n.First].Action().Type == acpc.Fold {
		call = 1
	}
	w.biased = [numWays][2]int{1: {0, call}, 2: {call, call + 1}, 3: {call + 1, actions}}
	return w, nil
}
