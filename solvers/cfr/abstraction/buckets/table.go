package buckets

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Table is a card abstraction: a bucket for every hand of every round. It does not change
// after it is made and may be used by several goroutines at once.
type Table struct {
	recipe Recipe
	deck   Deck
	hands  *Holdings
	// cluster is the clusters of the opponent's hole cards, nil without an OCHS round.
	cluster *Clusters
	rounds  []round
	digest  [32]byte
	// onBoards are the last results of ownOnBoard: those who follow a hand ask for its board many times.
	onBoards *lru.Cache[fullBoard, map[card.Set]int]
}

// fullBoard is a full board in a round.
type fullBoard struct {
	round *round
	cards card.Set
}

// lastBoards is how many full boards are kept.
const lastBoards = 16

// round has the buckets of a round.
type round struct {
	Made
	buckets int // number of buckets of this round alone
	// later, if not nil, returns Bucket.
	later func() *Numbers
}

// Made is what is made for a round.
type Made struct {
	Round
	Index   *abstraction.SuitIndex
	Centres *Centres // nil but for Histogram and OCHS
	// Bucket is by number of the hand. It is nil for Hands, and for centres where buckets
	// are computed when they are asked for.
	Bucket *Numbers
	Report Report
}

// Report describes the buckets of a round.
type Report struct {
	// Smallest, Median and Largest are the parts of all deals that are in such a bucket.
	Smallest float64 `json:"smallest"`
	Median   float64 `json:"median"`
	Largest  float64 `json:"largest"`
	Empty    int     `json:"empty"` // buckets without a hand
	// Distance is the root mean square of the distance between a hand and the centre of its
	// bucket, for Histogram in strength from 0 to 1, for OCHS in that against all clusters.
	Distance float64 `json:"distance"`
}

// table returns the buckets by number of the hand, nil where there are none.
func (x *round) table() *Numbers {
	if x.later != nil {
		return x.later()
	}
	return x.Bucket
}

// New returns a table without rounds, which package cluster adds.
func New(g *acpc.Game, r Recipe) *Table { return newTable(DeckOf(g), r) }

func newTable(d Deck, r Recipe) *Table {
	onBoards, _ := lru.New[fullBoard, map[card.Set]int](lastBoards) // the error is for no room
	return &Table{recipe: r, deck: d, hands: newHoldings(&d), onBoards: onBoards}
}

// Add adds the next round.
func (t *Table) Add(m Made) {
	x := round{Made: m, buckets: m.Index.Size()}
	if m.Centres != nil {
		x.buckets = m.Centres.Len()
	}
	if t.rounds = append(t.rounds, x); len(t.rounds) == len(t.recipe.Rounds) {
		t.digest = t.computeDigest()
	}
}

// SetClusters sets the clusters of the opponent's hole cards, before an OCHS round is added.
func (t *Table) SetClusters(c *Clusters) { t.cluster = c }

// Rounds returns how many rounds were added.
func (t *Table) Rounds() int { return len(t.rounds) }

// Deck returns the cards of the table's game.
func (t *Table) Deck() *Deck { return &t.deck }

// Hands returns the hands of the deck.
func (t *Table) Hands() *Holdings { return t.hands }

// Opponents returns the clusters of the opponent's hole cards that a feature tells apart, and
// their number. For OCHS they are nil as long as they are not set.
func (t *Table) Opponents(f Feature) (c *Clusters, groups int) {
	if f == OCHS {
		return t.cluster, t.recipe.Clusters
	}
	return new(Clusters), 1
}

// Name returns the name of the recipe and the first half of the digest, which names the
// abstraction in strategy files.
func (t *Table) Name() string { return fmt.Sprintf("%s:%x", t.recipe.Name, t.digest[:8]) }

// Digest identifies the buckets: tables with the same digest have the same ones.
func (t *Table) Digest() [32]byte { return t.digest }

// Recipe returns what the buckets were made by.
func (t *Table) Recipe() Recipe { return t.recipe }

// NumBuckets returns how many buckets a round has.
func (t *Table) NumBuckets(round int) int {
	n := t.rounds[round].buckets
	if t.recipe.PerfectRecall && round > 0 {
		n *= t.NumBuckets(round - 1)
	}
	return n
}

// SuitSymmetric reports that hands that a renaming of the suits turns into each other share
// a bucket.
func (t *Table) SuitSymmetric() bool { return true }

// IgnoresOrder reports whether a bucket does not depend on the order in which the board was
// dealt.
func (t *Table) IgnoresOrder() bool { return !t.recipe.PerfectRecall }

// Fits returns an error unless the table is for the cards of a game.
func (t *Table) Fits(g *acpc.Game) error {
	if d := DeckOf(g); !d.Equal(&t.deck) {
		return fmt.Errorf("the buckets are for other cards than those of %s: for %v, not %v", g.Name, &t.deck, &d)
	}
	return nil
}

// Bucket returns the bucket of a deal in a round, or -1 for cards that the deck cannot
// deal.
func (t *Table) Bucket(round int, d abstraction.Deal) int {
	board := card.Set(0)
	bucket := 0
	for r := range round + 1 {
		board |= d.Board[r]
		if r < round && !t.recipe.PerfectRecall {
			continue
		}
		x := &t.rounds[r]
		if board.Len() != t.deck.Board[r] || d.Hole.Len() != t.deck.Hole || board&d.Hole != 0 ||
			(board|d.Hole)&^t.hands.Set != 0 {
			return -1
		}
		bucket = bucket*x.buckets + t.own(x, d.Hole, board)
	}
	return bucket
}

// own returns the bucket of a hand by its round alone.
func (t *Table) own(x *round, hole, board card.Set) int {
	table := x.table()
	if table == nil && x.Centres != nil {
		centre, _ := x.Centres.Nearest(t.feature(x, hole, board))
		return x.BucketOf(centre)
	}
	number := x.Index.Of(hole, board)
	if table == nil {
		return number
	}
	return int(table.At(number))
}

// BucketOf returns the bucket of a centre, and the centre of a bucket. Buckets ascend by
// strength; the sums of cumulative histograms, by which centres ascend, fall with it.
func (x *Made) BucketOf(centre int) int {
	if x.Feature == Histogram {
		return x.Centres.Len() - 1 - centre
	}
	return centre
}

// feature returns what the hands of a round with centres are compared by.
func (t *Table) feature(x *round, hole, board card.Set) []uint16 {
	if x.Feature == OCHS {
		s := t.hands.Against(hole, board, t.cluster)
		out := make([]uint16, t.recipe.Clusters)
		parts(out, &s)
		return out
	}
	counts, total := t.hands.Histogram(hole, board, t.recipe.Bins)
	out := make([]uint16, t.recipe.Bins-1)
	Cumulative(out, counts, total)
	return out
}

// Reports returns a report for each round.
func (t *Table) Reports() []Report {
	var all []Report
	for i := range t.rounds {
		all = append(all, t.rounds[i].Report)
	}
	return all
}

// lookupCost returns about how many hands must be ranked to find a bucket of a round
// without a table.
func (t *Table) lookupCost(round int) int64 {
	return int64(Runouts(&t.deck, t.deck.Board[round])) * int64(t.hands.Others)
}

// OnBoard returns the buckets of some hole cards on a board, which has no cards of later rounds.
// On a full board whose buckets are computed when they are asked for, Bucket ranks the hands of
// all opponents; OnBoard ranks them once for all hole cards.
func (t *Table) OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	x := &t.rounds[round]
	var own map[card.Set]int // buckets by hole cards
	if x.table() == nil && x.Centres != nil && t.deck.Board[round] == t.deck.Full() {
		own = t.ownOnBoard(x, board[:round+1])
	}
	list, d := make([]int, len(holes)), abstraction.Deal{Board: board}
	for i, hole := range holes {
		d.Hole = hole
		bucket, ok := own[hole]
		switch {
		case !ok:
			list[i] = t.Bucket(round, d)
		case t.recipe.PerfectRecall && round > 0:
			list[i] = t.Bucket(round-1, d)*x.buckets + bucket
		default:
			list[i] = bucket
		}
	}
	return list
}

// ownOnBoard returns the buckets of hole cards on a full board by their round alone. It has none
// for cards that are no such board.
func (t *Table) ownOnBoard(x *round, cards []card.Set) map[card.Set]int {
	board := card.Set(0)
	for r, c := range cards {
		if board |= c; board.Len() != t.deck.Board[r] || board&^t.hands.Set != 0 {
			return nil
		}
	}
	if own, ok := t.onBoards.Get(fullBoard{x, board}); ok {
		return own
	}
	own := make(map[card.Set]int, len(t.hands.All))
	t.onFullBoards(x, func(feature []uint16) int {
		centre, _ := x.Centres.Nearest(feature)
		return centre
	})(board, func(hole card.Set, bucket int) { own[hole] = bucket })
	t.onBoards.Add(fullBoard{x, board}, own)
	return own
}

// onFullBoards returns a function that takes the buckets, by a round alone, of all hole cards on a full
// board. near finds the centre that is nearest to a feature. It is for one goroutine.
func (t *Table) onFullBoards(
	x *round, near func(feature []uint16) int,
) func(board card.Set, take func(hole card.Set, bucket int)) {
	cluster, groups := t.Opponents(x.Feature)
	showdown, feature := NewShowdown(t.hands, cluster, groups), make([]uint16, x.Centres.Dim)
	return func(board card.Set, take func(hole card.Set, bucket int)) {
		showdown.Board(board, func(number int, s *Strengths) {
			t.hands.Feature(feature, x.Feature == OCHS, s)
			take(t.hands.All[number].Hole, x.BucketOf(near(feature)))
		})
	}
}
