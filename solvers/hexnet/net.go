package hexnet

import (
	"math"

	"gamebots/internal/rng"
)

// A Net is a network and what it has learned from.
type Net struct {
	Config Config
	Origin Origin
	// Parameters has all weights and biases, layer by layer: the stem; of each block conv₁,
	// W in every second block, and conv₂; the linear map to the outputs of cells; that to 64
	// hidden units; and that from these to the outputs of the board. Weights of a layer are
	// in the order [tap][input][output], then come its biases (W has none).
	Parameters []float32
}

// An Origin says what a network has learned from.
type Origin struct {
	Game  string `json:"game,omitempty"`
	Sides []int  `json:"sides,omitempty"` // sides of the boards, in ascending order
	Steps uint64 `json:"steps"`           // number of steps of learning
	Seed  uint64 `json:"seed"`
	// Operations are the floating-point operations of all learning, with that of the network
	// with which it began. 0 is unknown.
	Operations float64 `json:"operations,omitempty"`
}

// New returns a network that has learned nothing: its policy is uniform and its value 0. It
// panics if the config is out of bounds. See [Config.Check].
func New(c Config, seed uint64) *Net {
	if err := c.Check(); err != nil {
		panic(err)
	}
	n := &Net{Config: c, Origin: Origin{Seed: seed}, Parameters: make([]float32, c.NumParameters())}
	l := c.layers()
	stream := rng.Stream(seed)
	n.initialize(l.stem, &stream)
	for _, b := range l.blocks {
		n.initialize(b.conv1, &stream)
	}
	n.initialize(l.hidden, &stream)
	return n
}

// initialize draws the weights of a layer uniformly, with the variance that keeps that of
// activations through relu (K. He et al., Delving deep into rectifiers, 2015).
func (n *Net) initialize(l layer, s *rng.Stream) {
	bound := float32(math.Sqrt(6 / float64(l.taps*l.in)))
	for i := range n.Parameters[l.weights:][:l.numWeights()] {
		n.Parameters[l.weights+i] = float32((2*s.Float32() - 1) * bound)
	}
}

// Clone returns a copy that shares nothing.
func (n *Net) Clone() *Net {
	c := *n
	c.Parameters = append([]float32(nil), n.Parameters...)
	c.Origin.Sides = append([]int(nil), n.Origin.Sides...)
	return &c
}
