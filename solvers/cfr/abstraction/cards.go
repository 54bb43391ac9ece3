package abstraction

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Kind is an abstraction that a [Cards] can have.
type Kind uint8

const (
	// Lossless joins combinations of cards that differ in the names of suits only.
	Lossless Kind = iota
	// None keeps every combination of cards apart.
	None
)

var kindNames = []string{Lossless: "lossless", None: "none"}

func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind of a name.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kindNames, name); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("unknown card abstraction %q: want one of %s, sets, or quick for hold'em", name,
		strings.Join(kindNames, ", "))
}

// Lanes is the multiple to which the buckets of a board are padded, so that
// vector code needs no tails.
const Lanes = 8

// Cards is the chance side of a game: its boards and buckets by round. It does not
// change after New and may be shared between goroutines.
type Cards struct {
	Game   *acpc.Game
	Kind   Kind
	Rounds []Round

	sym   symmetry
	board card.Set // the only one of the first round, or 0
}

// Round is one betting round. The buckets of all its boards are numbered
// consecutively, each board's padded to a multiple of Lanes. The slices over
// buckets have one item a bucket, padding included. Padding has no cards and the
// size 0.
type Round struct {
	Boards  []Board
	Stride  int // number of buckets, padding included
	Buckets int // number of buckets, without padding

	// Hole is the canonical hole cards of each bucket, and Size its number of
	// combinations of hole cards on its board.
	Hole []card.Set
	Size []float64
	// Up is the bucket of the round before that each bucket refines. Weight is
	// its share in that bucket's value: a value of the round before is the sum
	// over its refinements of Weight times value. In the first round Up is 0 and
	// the sum is the mean over all deals. Values are sums over the hands that the
	// opponents can hold.
	Up     []int32
	Weight []float64
	// Rank is the strength of each bucket at showdown, in the last round only.
	// There the buckets of a board are in ascending order of it.
	Rank []int32

	index map[[acpc.MaxRounds]card.Set]int32 // canonical boards to their place in Boards
}

// Board is one board up to a round. Parent is its board of the round before, First
// its first bucket, and Num the number of its buckets. Count is its multiplicity,
// given its parent.
type Board struct {
	Cards      [acpc.MaxRounds]card.Set
	Parent     int32
	First, Num int32
	Count      float64
}

// New lists the boards and buckets of a game. [Count] returns their numbers
// without listing them.
func New(g *acpc.Game, kind Kind) *Cards { return newCards(g, kind, 0) }

// NewOnBoard lists the boards and buckets of a game whose first round deals this board. All
// hands are apart.
func NewOnBoard(g *acpc.Game, board card.Set) *Cards { return newCards(g, None, board) }

func newCards(g *acpc.Game, kind Kind, board card.Set) *Cards {
	c := &Cards{Game: g, Kind: kind, sym: symmetryOf(g, kind), board: board}
	// Values are summed over the other players' hands and averaged over boards,
	// so a first-round value is divided by the number of their possible hands.
	cards := g.NumSuits*g.NumRanks - board.Len()
	left := g.NumSuits*g.NumRanks - g.NumHoleCards*g.NumPlayers
	others := 1.0
	for p := 1; p < g.NumPlayers; p++ {
		others *= float64(card.Combinations(cards-g.NumHoleCards*p, g.NumHoleCards))
	}
	root := Round{
		Boards: []Board{{Num: 1}}, Stride: 1, Hole: []card.Set{0},
		Size: []float64{float64(card.Combinations(cards, g.NumHoleCards)) * others},
	}
	before := &root
	for r := range g.NumRounds {
		// Given all hole cards, every extension of the board is equally likely.
		k := int(g.NumBoardCards[r])
		extensions := float64(card.Combinations(left, k))
		if r == 0 && board != 0 {
			extensions = 1
		}
		c.Rounds = append(c.Rounds, c.round(before, r, extensions))
		left -= k
		before = &c.Rounds[r]
	}
	return c
}

// round lists the boards and buckets of round r, which refine those before.
func (c *Cards) round(before *Round, r int, extensions float64) Round {
	out := Round{index: make(map[[acpc.MaxRounds]card.Set]int32)}
	for parent := range before.Boards {
		first := len(out.Boards)
		c.extend(&out, before.Boards[parent].Cards, int32(parent), r)
		for i := first; i < len(out.Boards); i++ {
			b := &out.Boards[i]
			out.index[b.Cards] = int32(i)
			c.deal(&out, b, before, r)
			for h := b.First; h < b.First+b.Num; h++ {
				out.Weight[h] = b.Count * out.Size[h] / (before.Size[out.Up[h]] * extensions)
			}
		}
	}
	out.Stride = len(out.Hole)
	return out
}

// extend appends the canonical boards of round r that extend a parent board.
func (c *Cards) extend(out *Round, from [acpc.MaxRounds]card.Set, parent int32, r int) {
	d := Deal{Board: from}
	if r == 0 && c.board != 0 {
		d.Board[0] = c.board
		out.Boards = append(out.Boards, Board{Cards: d.Board, Parent: parent, Count: 1})
		return
	}
	first := len(out.Boards)
	found := make(map[card.Set]int)
	card.Subsets(c.rest(d.cards()), int(c.Game.NumBoardCards[r]), func(s card.Set) {
		d.Board[r] = s
		canonical := c.sym.canon(d).Board
		i, ok := found[canonical[r]]
		if !ok {
			i = len(out.Boards)
			found[canonical[r]] = i
			out.Boards = append(out.Boards, Board{Cards: canonical, Parent: parent})
		}
		out.Boards[i].Count++
	})
	slices.SortFunc(out.Boards[first:], func(a, b Board) int { return cmp.Compare(a.Cards[r], b.Cards[r]) })
}

// deal appends the buckets of a board and their padding.
func (c *Cards) deal(out *Round, b *Board, before *Round, r int) {
	d := Deal{Board: b.Cards}
	var holes []card.Set
	card.Subsets(c.rest(d.cards()), c.Game.NumHoleCards, func(s card.Set) {
		d.Hole = s
		holes = append(holes, c.sym.canon(d).Hole)
	})
	slices.Sort(holes)

	b.First = int32(len(out.Hole))
	for i := 0; i < len(holes); {
		j := i + 1
		for j < len(holes) && holes[j] == holes[i] {
			j++
		}
		out.Hole = append(out.Hole, holes[i])
		out.Size = append(out.Size, float64(j-i))
		i = j
	}
	b.Num = int32(len(out.Hole)) - b.First
	out.Buckets += int(b.Num)
	if r == c.Game.NumRounds-1 {
		c.rank(out, b)
	}

	up := &before.Boards[b.Parent]
	d.Board[r] = 0
	for _, hole := range out.Hole[b.First:] {
		d.Hole = hole
		parent := 0
		if r > 0 {
			parent, _ = slices.BinarySearch(before.Hole[up.First:up.First+up.Num], c.sym.canon(d).Hole)
		}
		out.Up = append(out.Up, up.First+int32(parent))
	}
	for len(out.Hole)%Lanes != 0 {
		out.Hole = append(out.Hole, 0)
		out.Size = append(out.Size, 0)
		out.Up = append(out.Up, 0)
		if out.Rank != nil {
			out.Rank = append(out.Rank, 0)
		}
	}
	out.Weight = append(out.Weight, make([]float64, len(out.Hole)-len(out.Weight))...)
}

// rank sorts the buckets of a last round's board by their strength.
func (c *Cards) rank(out *Round, b *Board) {
	board := (&Deal{Board: b.Cards}).cards()
	type bucket struct {
		hole card.Set
		size float64
		rank int
	}
	buckets := make([]bucket, b.Num)
	for i := range buckets {
		h := int(b.First) + i
		buckets[i] = bucket{out.Hole[h], out.Size[h], c.Game.HandRanking.Rank(out.Hole[h] | board)}
	}
	slices.SortStableFunc(buckets, func(x, y bucket) int { return cmp.Compare(x.rank, y.rank) })
	for i, x := range buckets {
		h := int(b.First) + i
		out.Hole[h], out.Size[h] = x.hole, x.size
		out.Rank = append(out.Rank, int32(x.rank))
	}
}

// Name returns the name of the kind.
func (c *Cards) Name() string { return c.Kind.String() }

// NumBuckets returns how many buckets a round has, padding included.
func (c *Cards) NumBuckets(round int) int { return c.Rounds[round].Stride }

// Bucket returns the bucket of a round in which a deal falls, or -1 for cards
// that the game's deck cannot deal.
func (c *Cards) Bucket(round int, d Deal) int {
	in := &c.Rounds[round]
	d = c.sym.canon(d)
	i, ok := in.index[d.Board]
	if !ok {
		return -1
	}
	b := &in.Boards[i]
	h := slices.Index(in.Hole[b.First:b.First+b.Num], d.Hole)
	if h < 0 {
		return -1
	}
	return int(b.First) + h
}

// Deal returns the canonical deal of a bucket, which stands for all deals in it; ok is false
// for padding.
func (c *Cards) Deal(round, bucket int) (d Deal, ok bool) {
	in := &c.Rounds[round]
	i := sort.Search(len(in.Boards), func(i int) bool { return int(in.Boards[i].First) > bucket }) - 1
	b := &in.Boards[i]
	if bucket >= int(b.First+b.Num) {
		return d, false
	}
	return Deal{Board: b.Cards, Hole: in.Hole[bucket]}, true
}

// Holes calls f with every combination of hole cards that is possible on a board,
// and its bucket, counted from the board's first.
func (c *Cards) Holes(round int, b *Board, f func(hole card.Set, bucket int)) {
	d := Deal{Board: b.Cards}
	bucketOf := make(map[card.Set]int, b.Num)
	for i, hole := range c.Rounds[round].Hole[b.First : b.First+b.Num] {
		bucketOf[hole] = i
	}
	card.Subsets(c.rest(d.cards()), c.Game.NumHoleCards, func(s card.Set) {
		d.Hole = s
		f(s, bucketOf[c.sym.canon(d).Hole])
	})
}

// rest returns the cards of the deck that are not in used.
func (c *Cards) rest(used card.Set) []card.Card {
	return slices.DeleteFunc(c.Game.Deck(), used.Has)
}

// SuitSymmetric reports whether hands that a renaming of the suits turns into each other
// share a bucket.
func (c *Cards) SuitSymmetric() bool { return c.Kind == Lossless }

// BoardRange is a range of adjacent boards of a round, [FirstBoard, LastBoard),
// and of their buckets, [First, Last), padding included.
type BoardRange struct {
	FirstBoard, LastBoard int
	First, Last           int
}

// Width returns the number of buckets.
func (r BoardRange) Width() int { return r.Last - r.First }

// Width returns the number of a board's buckets, padding included.
func (b *Board) Width() int { return int(b.Num+Lanes-1) &^ (Lanes - 1) }

// Cut cuts the boards of a round into ranges of at most width buckets, or of one
// board.
func (r *Round) Cut(width int) []BoardRange {
	var ranges []BoardRange
	for b := range r.Boards {
		first := int(r.Boards[b].First)
		last := first + r.Boards[b].Width()
		if k := len(ranges) - 1; k >= 0 && last-ranges[k].First <= width {
			ranges[k].LastBoard, ranges[k].Last = b+1, last
			continue
		}
		ranges = append(ranges, BoardRange{b, b + 1, first, last})
	}
	return ranges
}
