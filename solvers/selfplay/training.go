package selfplay

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

// Settings are what a training depends on.
type Settings struct {
	Config hexnet.Config
	// Sides are those of the boards, one for each step, again and again.
	Sides []int
	Seed  uint64
	// Start, if not nil, is the network that learning begins with. It has the config.
	Start *hexnet.Net
	// Games is the number of games on boards of each side that go on together; 0 is
	// DefaultGames.
	Games int
	// Generation, if not 0, is the number of steps for which games are played at once, by the network as it was so
	// many steps before them.
	Generation int
}

// DefaultGames and MaxGames are numbers of games that go on together.
const (
	DefaultGames = 128
	MaxGames     = 1 << 16
)

func (s *Settings) games() int { return cmp.Or(s.Games, DefaultGames) }

// Options are where a training computes.
type Options struct {
	Threads int             // threads of the CPU
	Device  *cudalib.Device // plays and learns; nil for the threads
	// Elsewhere, if not nil, plays all games, in the background, until it is called no more. It returns the progress
	// of all. The settings have generations.
	Elsewhere PlayFunc
	Until     uint64 // number of steps beyond which no games are played in the background, or 0
}

// Check returns why there is no training with the settings, or nil.
func (s *Settings) Check() error {
	if err := s.Config.Check(); err != nil {
		return err
	}
	if len(s.Sides) == 0 {
		return fmt.Errorf("no sides")
	}
	for _, side := range s.Sides {
		if side < minSide || side > havannah.MaxSide {
			return fmt.Errorf("side %d is not from %d to %d", side, minSide, havannah.MaxSide)
		}
	}
	if s.Games < 0 || s.Games == 1 || s.Games > MaxGames {
		return fmt.Errorf("%d games at once are not from 2 to %d", s.Games, MaxGames)
	}
	if s.Generation < 0 || s.Generation > maxGeneration {
		return fmt.Errorf("a generation of %d steps is not from 1 to %d", s.Generation, maxGeneration)
	}
	if s.Start != nil && s.Start.Config != s.Config {
		return fmt.Errorf("the network to begin with is %v, not %v", s.Start.Config, s.Config)
	}
	return nil
}

// maxGeneration bounds a generation, whose positions should fit into a window.
const maxGeneration = 1 << 12

// minSide is the least side: on a smaller board, four random moves end most games.
const minSide = 3

// The steps of learning.
const (
	batchSize = 256
	uses      = 4 // times that a recorded position is used, on average
	rate      = 1e-3
	// warmUp is the number of steps in which the rate rises to its full height, and full that
	// from which it falls as the root of the steps grows.
	warmUp = 100
	full   = 10_000
	// learning from a board takes as many operations as three evaluations.
	learning = 3
)

// Training is a network that learns. One goroutine uses it at a time.
type Training struct {
	settings Settings
	learner  hexnet.Learner
	sides    []int   // sides of the pools
	pools    []*pool // one pool a side, in ascending order
	batches  []*batch
	learning stopwatch // see LearningTime
	slower   float64   // factor of the learning rate, see SlowDown

	elsewhere  PlayFunc
	until      uint64                // see Options
	background bool                  // generations are played in the background
	plays      *hexnet.Net           // plays the games of the next generation; nil before the first
	playing    func() (waves, error) // plays them, or waits until they are played; nil if that has not begun

	// Curve has what the caller has noted so far. It is saved with the training.
	Curve []Point
}

// Point is a point of a training's curve.
type Point struct {
	Steps   uint64
	Games   uint64
	Seconds float64
	// Operations are those of [Training.Operations]; 0 in a point of earlier versions.
	Operations float64
	Losses     hexnet.Losses // means since the point before
	Scores     []float64     // share of points won in matches, by side in ascending order
}

// New returns a training that has made no step. Close frees the memory on its device.
func New(s Settings, o Options) (*Training, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := s.Start
	if n == nil {
		n = hexnet.New(s.Config, s.Seed)
	}
	n = n.Clone()
	sides := slices.Compact(slices.Sorted(slices.Values(s.Sides)))
	n.Origin = hexnet.Origin{Game: "havannah", Sides: sides, Seed: s.Seed}
	learner, err := newLearner(n, o)
	if err != nil {
		return nil, err
	}
	t := &Training{settings: s, learner: learner, sides: sides, slower: 1, elsewhere: o.Elsewhere, until: o.Until,
		background: o.Elsewhere != nil || o.Device == nil}
	cells := 0
	for _, side := range sides {
		cells += 3*side*(side-1) + 1
	}
	for _, side := range sides {
		g, err := havannah.GridOf(side)
		if err != nil {
			return nil, err
		}
		p, err := newPool(g, n, &s, o, min(maxWindow, windowBytes/(3*cells)))
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		t.pools = append(t.pools, p)
		t.batches = append(t.batches, newBatch(g, p.window, batchSize, o.Threads))
	}
	return t, nil
}

// newLearner returns what teaches a network.
func newLearner(n *hexnet.Net, o Options) (hexnet.Learner, error) {
	if o.Device == nil {
		return hexnet.NewTrainer(hexnet.NewState(n), o.Threads), nil
	}
	return hexnet.NewDeviceTrainer(hexnet.NewState(n), o.Device, o.Threads)
}

// Close frees the memory on the device. It waits for games that are played elsewhere.
func (t *Training) Close() error {
	err := t.learner.Close()
	for _, p := range t.pools {
		if p.player != nil {
			err = errors.Join(err, p.player.close())
		}
	}
	if t.background && t.playing != nil {
		_, _ = t.playing() // they were stopped, or are not needed
	}
	return err
}

// Steps returns the number of steps made.
func (t *Training) Steps() uint64 { return t.learner.Steps() }

// Games returns the number of games that have ended.
func (t *Training) Games() (n uint64) {
	for _, p := range t.pools {
		n += p.played.Games
	}
	return n
}

// Operations returns the floating-point operations of the network's convolutions so far, in
// games and in learning, with those of the network that it began with. What was done by a
// version that did not count is missing.
func (t *Training) Operations() (sum float64) {
	if t.settings.Start != nil {
		sum = t.settings.Start.Origin.Operations
	}
	for _, p := range t.pools {
		boards := float64(p.played.Evaluations) + learning*batchSize*float64(t.stepsUntil(p.grid.Side, t.Steps()))
		sum += boards * t.settings.Config.Operations(p.grid.NumCells)
	}
	return sum
}

// Played is what was played: games and evaluations in all runs, and the moves since a training was made or read.
type Played struct{ Games, Moves, Evaluations uint64 }

// Played returns what was played.
func (t *Training) Played() (all Played) {
	for _, p := range t.pools {
		all.add(p.played)
	}
	return all
}

// LearningTime returns the time of learning, without games, since a training was made or read.
func (t *Training) LearningTime() time.Duration { return time.Duration(t.learning) }

// Sides returns the sides of the boards in ascending order.
func (t *Training) Sides() []int { return t.sides }

// Net returns a copy of the network that has learned so far: the average of its parameters
// in the last steps.
func (t *Training) Net() (*hexnet.Net, error) {
	s, err := t.learner.State()
	if err != nil {
		return nil, err
	}
	n := s.AverageNet()
	n.Origin.Operations = t.Operations()
	return n, nil
}

// Step plays games of a side until there are enough new positions, and learns from a batch
// of the recorded ones. It returns the losses of the batch before the step.
func (t *Training) Step() (hexnet.Losses, error) {
	step := t.Steps()
	p, b := t.turn(step)
	if err := t.gather(step, p); err != nil {
		return hexnet.Losses{}, err
	}
	p.credit -= batchSize
	defer t.learning.start()()
	if err := t.draw(step); err != nil {
		return hexnet.Losses{}, err
	}
	now := t.slower * rate * min(1, float64(step+1)/warmUp, math.Sqrt(full/float64(step+1)))
	l, ok := t.learner.(hexnet.Starter)
	if !ok {
		return t.learner.Step(hexsearch.ShapeOf(p.grid), b.planes, &b.targets, now)
	}
	if err := l.Start(now); err != nil {
		return hexnet.Losses{}, err
	}
	var err error
	if next, _ := t.turn(step + 1); next.enough() && !t.begins(step+1) {
		err = t.draw(step + 1)
	}
	losses, failed := l.Finish()
	return losses, errors.Join(failed, err)
}

// gather adds the positions that a step needs.
func (t *Training) gather(step uint64, p *pool) error {
	if t.settings.Generation > 0 {
		if t.begins(step) {
			return t.begin()
		}
		return nil
	}
	if p.credit < batchSize {
		n, err := t.Net()
		if err != nil {
			return err
		}
		if err := p.player.setNet(n); err != nil {
			return err
		}
	}
	for !p.enough() {
		recorded, err := p.round()
		if err != nil {
			return err
		}
		p.credit += uses * recorded
	}
	return nil
}

// SlowDown multiplies the learning rate of the next steps by a factor from 0 to 1, until it is called
// again. The factor is not part of a saved training.
func (t *Training) SlowDown(factor float64) { t.slower = factor }

// turn returns the pool and the batch whose turn a step is.
func (t *Training) turn(step uint64) (*pool, *batch) {
	i, _ := slices.BinarySearch(t.sides, t.settings.Sides[step%uint64(len(t.settings.Sides))])
	return t.pools[i], t.batches[i]
}

// enough reports whether a step needs no more positions.
func (p *pool) enough() bool { return p.credit >= batchSize && p.window.size() >= batchSize }

// draw draws the batch of a step, if it is not drawn yet, and prepares it for a device.
func (t *Training) draw(step uint64) error {
	p, b := t.turn(step)
	if of := (drawn{step, p.window.Added}); b.drawn != of {
		random := rng.Stream(rng.At(rng.At(t.settings.Seed, uint64(p.grid.Side)), step))
		if err := b.draw(p.window, &random); err != nil {
			return err
		}
		b.drawn = of
		if l, ok := t.learner.(hexnet.Starter); ok {
			return l.Prepare(hexsearch.ShapeOf(p.grid), b.planes, &b.targets)
		}
	}
	return nil
}
