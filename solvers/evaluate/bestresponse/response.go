package bestresponse

import (
	"context"
	"errors"
	"sync"

	"gamebots/acpc"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// Response computes the best responses to a strategy. It does not change after it is made
// and may be shared.
type Response struct {
	dealer
	rounds [2][]*round          // rounds by responder
	boards []board              // the parts
	menu   betting.Actions      // the responder's raises beside the strategy's; the zero Actions are none
	follow [acpc.MaxRounds]bool // rounds in which the responder follows the strategy

	canonical func() []board // boards of the last round, for devices
	listed    sync.Once      // finals, which take [Response.TableBytes]
	finals    *finals
}

// New prepares the best responses of both players to a strategy.
func New(s *Strategy) *Response { return NewFollowing(s, [acpc.MaxRounds]bool{}) }

// NewFollowing prepares the best responses of players who follow the strategy in some rounds: what they win shows where
// it loses. Devices value only those that may deviate in both of the last two rounds.
func NewFollowing(s *Strategy, follow [acpc.MaxRounds]bool) *Response {
	return newResponse(s, [2]*answers{{Tree: s.Tree}, {Tree: s.Tree}}, follow)
}

// NewWith prepares the best responses that also have the raises of a menu, where the strategy translates those that its
// tree does not have, as it is played. The error is a [*MenuError] for too many raises, and wraps [betting.ErrCards] if
// the strategy would have to play by its cards.
func NewWith(s *Strategy, menu betting.Actions) (*Response, error) {
	if s.Tree.Shape.Betting.All() || s.Tree.Shape.Betting.IsForgetful() || menu.All() {
		return nil, &segment.GameError{Game: s.Tree.Game.Name,
			Reason: "other raises than those of the strategy are for no-limit games with lists of raises"}
	}
	var trees [2]*answers
	for p := range trees {
		x, err := s.Tree.Answers(p, menu, maxPlainNodes)
		if errors.Is(err, betting.ErrManyNodes) {
			return nil, &MenuError{s.Tree.Game.Name, menu}
		}
		if err != nil {
			return nil, err
		}
		trees[p] = &answers{x.Tree, x.Ways}
	}
	r := newResponse(s, trees, [acpc.MaxRounds]bool{})
	r.menu = menu
	return r, nil
}

func newResponse(s *Strategy, trees [2]*answers, follow [acpc.MaxRounds]bool) *Response {
	r := &Response{dealer: dealer{deck: s.deckOf(), strategy: s, last: s.Tree.Game.NumRounds - 1,
		unordered: s.unordered()}, follow: follow}
	r.canonical = sync.OnceValue(r.allCanonical)
	for p := range r.rounds {
		r.rounds[p] = newRounds(s, trees[p], p, follow)
	}
	if len(r.second(0).at)+len(r.second(1).at) > 0 {
		r.boards = r.parts()
	}
	return r
}

// Parts returns the number of parts that the work consists of: the boards of the second
// round, up to the names of suits. There are none if the opponent never sees a board.
func (r *Response) Parts() int { return len(r.boards) }

// PartValues are the values of a part: by responder, class of hole cards, and betting
// sequence of the first round that the opponent plays.
type PartValues [2][]float64

// second returns the second round of a player, or the only one.
func (r *Response) second(p int) *round { return r.rounds[p][min(1, r.last)] }

// size returns the number of values of a part for a player.
func (r *Response) size(p int) int { return len(r.classes) * len(r.second(p).at) }

// Value values the parts in a list on some threads, and calls take with each in any
// order, one at a time. When ctx is done it stops and returns the cause.
func (r *Response) Value(ctx context.Context, parts []int, threads int,
	take func(part int, values PartValues) error) error {
	var taking sync.Mutex
	return parallel.Try(threads, len(parts), func(i int) error {
		var values PartValues
		units := r.prepare(parts[i])
		for p := range values {
			sums := r.unitSums(p)
			for _, u := range units {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				r.addUnit(sums, p, u)
			}
			values[p] = r.partValues(p, parts[i], units[0], sums)
		}
		taking.Lock()
		defer taking.Unlock()
		return take(parts[i], values)
	})
}

// prepare returns the units of a part.
func (r *Response) prepare(part int) []*unit {
	b := &r.boards[part]
	var upper [][]uint32
	for round := 0; round < min(r.depth(), 2) && round < r.last; round++ {
		upper = append(upper, r.bucketsOf(b, round))
	}
	var units []*unit
	for _, next := range r.units(b) {
		units = append(units, r.unit(&next, upper))
	}
	return units
}

// reach returns the opponent's reach at the start of a round, by hand and lane.
func (r *Response) reach(p, round int, bucket [][]uint32) []float32 {
	rounds := r.rounds[p]
	reach := make([]float32, len(r.holes)*rounds[0].width)
	for h := range r.holes {
		reach[h*rounds[0].width] = 1
	}
	for i := range round {
		reach = descend(rounds[i], rounds[i+1], bucket[i], reach)
	}
	return reach
}

// unitSums returns the sums of a part's units before any is added.
func (r *Response) unitSums(p int) []float64 {
	return make([]float64, len(r.holes)*r.rounds[p][r.depth()].width)
}

// addUnit adds the values of a unit by hand and lane, as often as it counts in its part.
func (r *Response) addUnit(sums []float64, p int, u *unit) {
	width := r.rounds[p][u.round].width
	values := r.unitValues(p, u)
	for _, h := range u.hands {
		for at := int(h) * width; at < (int(h)+1)*width; at++ {
			sums[at] += float64(u.count * float64(values[at]))
		}
	}
}

// unitValues returns the values of a unit by hand and lane of its round.
func (r *Response) unitValues(p int, u *unit) []float32 {
	rounds := r.rounds[p]
	last := rounds[r.last]
	after := make([]float64, len(r.holes)*last.width)
	if last.width > 0 {
		r.addRivers(after, u, last, r.reach(p, r.last, u.bucket))
	}
	if u.round < r.last {
		mean(after, last.width, u.classes)
		after = rounds[u.round].value(r.deck, u.hands, u.bucket[u.round], r.reach(p, u.round, u.bucket), after, last,
			1/r.extensions(r.last), nil)
	}
	values := make([]float32, len(after))
	for i, v := range after {
		values[i] = float32(v)
	}
	return values
}

// addRivers adds the values of the rivers of a unit, by hand and lane.
func (r *Response) addRivers(after []float64, u *unit, last *round, reach []float32) {
	var parts []*showdowns
	for _, p := range last.parts {
		parts = append(parts, newShowdowns(p, r.deck, last.width))
	}
	for i := range u.rivers {
		b := &u.rivers[i]
		order := r.renamed(r.order(&b.canonical), b.renaming)
		for _, s := range parts {
			for lane := 0; lane < s.Width; lane += vectors.TileLanes {
				for k, value := range s.value(order, reach, lane)[:len(order)] {
					to := after[int(order[k]&vectors.HandMask)*last.width+s.First+lane:][:vectors.TileLanes]
					for l, v := range value {
						to[l] += float64(b.count * float64(v))
					}
				}
			}
		}
	}
}

// partValues returns the values of a part from the sums of its units, of which the first
// is given.
func (r *Response) partValues(p, part int, first *unit, sums []float64) []float64 {
	round := min(1, r.last)
	to, values := r.second(p), sums
	if r.depth() > round { // the board of the part is one round above its units
		below := r.rounds[p][r.depth()]
		hands, classes := r.handsOf(&r.boards[part])
		mean(sums, below.width, classes)
		values = to.value(r.deck, hands, first.bucket[round], r.reach(p, round, first.bucket), sums, below,
			1/r.extensions(r.depth()), nil)
	}
	return r.byClass(p, part, values)
}

// byClass joins the values of a part by hand and lane. Hands that the board does not leave have the value 0.
func (r *Response) byClass(p, part int, values []float64) []float64 {
	to := r.second(p)
	joined := make([]float64, 0, r.size(p))
	for _, class := range r.classes {
		for _, l := range to.at {
			sum := 0.0
			for _, h := range class {
				if r.holes[h]&r.boards[part].all == 0 {
					sum += values[int(h)*to.width+l]
				}
			}
			joined = append(joined, sum)
		}
	}
	return joined
}

// Sum is the sum of the values of the first parts, each as often as it counts. The zero Sum has no parts.
type Sum struct {
	Parts  int
	Values PartValues
}

// Extend adds the parts that follow those of a sum, up to the first without values.
func (r *Response) Extend(s *Sum, parts []PartValues) {
	for ; s.Parts < len(parts) && parts[s.Parts][0] != nil; s.Parts++ {
		for p, values := range parts[s.Parts] {
			if s.Values[p] == nil {
				s.Values[p] = make([]float64, r.size(p))
			}
			for k, v := range values {
				s.Values[p][k] += float64(r.boards[s.Parts].count * v)
			}
		}
	}
}

// Best returns what the best response of each player wins, in chips a hand, from the sum of all parts.
func (r *Response) Best(s Sum) (best [2]float64) {
	for p, values := range s.Values {
		if values == nil { // there are no parts
			values = make([]float64, r.size(p))
		}
		best[p] = r.opening(p).value(values, nil)
	}
	return best
}

// Total is [Response.Best] of the values of all parts.
func (r *Response) Total(parts []PartValues) (best [2]float64) {
	var s Sum
	r.Extend(&s, parts)
	return r.Best(s)
}

// opening values the first round for a responder.
type opening struct {
	*Response
	first, second *round // the same in a game of one round
	hands         []uint32
	bucket        []uint32
	reach         []float32
	after         []float64 // the values after the round
}

func (r *Response) opening(p int) *opening {
	root, second := r.root(), r.second(p)
	o := &opening{Response: r, first: r.rounds[p][0], second: second,
		after: make([]float64, len(r.holes)*second.width)}
	if r.last > 0 {
		o.hands, _ = r.handsOf(&root)
		o.bucket, o.reach = r.bucketsOf(&root, 0), r.reach(p, 0, nil)
	}
	return o
}

// value returns what the responder wins in chips a hand, from the sums over all boards of
// the values of parts. Decisions, if not nil, are its decisions in the round; otherwise they
// are the best.
func (o *opening) value(sums []float64, decisions *decisions) float64 {
	at, width := o.second.at, o.second.width
	for c, class := range o.classes {
		for _, h := range class {
			for l, sum := range sums[c*len(at):][:len(at)] {
				o.after[int(h)*width+at[l]] = sum / float64(len(class))
			}
		}
	}
	values := o.after
	if o.last > 0 {
		values = o.first.value(o.deck, o.hands, o.bucket, o.reach, o.after, o.second, 1/o.extensions(1), decisions)
		width = o.first.width
	}
	sum := 0.0
	for h := range o.holes {
		sum += values[h*width]
	}
	return sum / o.deals()
}

// Exact returns what the best response of each player wins, in chips a hand, computed on a
// number of threads.
func (r *Response) Exact(ctx context.Context, threads int) (best [2]float64, err error) {
	all, list := make([]PartValues, r.Parts()), make([]int, r.Parts())
	for i := range list {
		list[i] = i
	}
	err = r.Value(ctx, list, threads, func(part int, values PartValues) error {
		all[part] = values
		return nil
	})
	if err != nil {
		return best, err
	}
	return r.Total(all), nil
}

// Missing returns the numbers of the parts that have no values yet.
func (r *Response) Missing(parts []PartValues) (missing []int) {
	for i := range parts {
		if parts[i][0] == nil {
			missing = append(missing, i)
		}
	}
	return missing
}

// ThreadBytes returns how much memory a thread of Value takes, about.
func (r *Response) ThreadBytes() (bytes int64) {
	if len(r.boards) == 0 {
		return 0
	}
	hands, units := int64(len(r.holes)), int64(len(r.units(&r.boards[0])))
	for p := range r.rounds {
		last, before := r.rounds[p][r.last], r.rounds[p][r.depth()]
		n := 16*last.width + 24*before.width
		for _, p := range last.parts {
			n += 4 * vectors.TileLanes * (p.Slots + 1)
		}
		slots := 0
		for _, p := range before.parts {
			slots = max(slots, 8*p.Slots*p.Width)
		}
		bytes = max(bytes, hands*int64(n+slots))
	}
	return bytes + units*hands*8*int64(len(r.cards))
}

// TableBytes returns how much memory ValueOn takes for the hands of the boards of the last
// round, in the order of their ranks, beside that of its threads and on each device. They
// are kept until the Response goes.
func (r *Response) TableBytes() int64 { return 8 * int64(len(r.canonical())) * int64(r.finalHands()) }

// Hands returns the number of hands, at the boards of the last round and at the ends of the betting
// sequences there, whose values are computed: the size of the work.
func (r *Response) Hands() (n float64) {
	boards := float64(r.Parts())
	for round := 2; round <= r.last; round++ {
		boards *= r.extensions(round) // less by the names of suits
	}
	for p := range r.rounds {
		for _, part := range r.rounds[p][r.last].parts {
			n += boards * float64(len(r.holes)*part.Lanes*part.Values)
		}
	}
	return n
}

// Mixed reports whether betting sequences of the last round have different decisions, as in a no-limit
// game. They take longer on a device.
func (r *Response) Mixed() bool {
	return max(len(r.rounds[0][r.last].parts), len(r.rounds[1][r.last].parts)) > 1
}

// minDeviceHands is the size of the work from which a GPU gains.
const minDeviceHands = 1.7e10

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU, and why it is not.
func (r *Response) DeviceWorthwhile() (worthwhile bool, reason string) {
	if err := r.forDevices(); err != nil {
		return false, err.Error()
	}
	return r.Hands() >= minDeviceHands, "the game is too small to gain from a GPU"
}
