package abstraction

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/internal/atomicfile"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// EHS is a card abstraction of hold'em by expected hand strength (EHS): the chance to
// win against a random hand, over all cards to come. Before the flop every hand has
// a bucket of its own up to suits; in each later round buckets are percentiles of
// strength. A bucket does not depend on the rounds before (imperfect recall). An
// EHS does not change after it is made and may be used by several goroutines at
// once.
//
// The strengths are exact: nothing is sampled.
type EHS struct {
	buckets [4]int // buckets of a round
	ranks   int

	preflop, flop, turn, board *SuitIndex
	// onFlop and onTurn are the buckets by suit index.
	onFlop, onTurn []uint8
	// onRiver has, by suit index of the board, the lowest rank of each bucket but
	// the first.
	onRiver []int32
}

// EHSName is the name of the abstraction with its default sizes.
const EHSName = "quick"

var ehsPattern = regexp.MustCompile(`^quick(?:\((\d+),(\d+),(\d+)\))?$`)

// defaultEHSSizes are the default numbers of buckets on flop, turn and river: enough
// to beat simple opponents, and trained in minutes.
var defaultEHSSizes = [3]int{50, 50, 50}

// maxEHSBuckets is the largest number of buckets of a round. They are stored as bytes.
const maxEHSBuckets = 256

// IsEHS reports whether a name is that of an EHS.
func IsEHS(name string) bool { return ehsPattern.MatchString(name) }

// EHSFits reports whether a game is hold'em, the game that an EHS is for.
func EHSFits(g *acpc.Game) bool {
	return g.NumRounds == 4 && g.NumSuits == card.NumSuits && g.NumRanks >= 5 && g.NumHoleCards == 2 &&
		g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} && g.HandRanking == hand.ACPC
}

// EHSSizes returns the numbers of buckets by round of the abstraction of a name.
func EHSSizes(g *acpc.Game, name string) (sizes [acpc.MaxRounds]int, err error) {
	fields := ehsPattern.FindStringSubmatch(name)
	if fields == nil {
		return sizes, fmt.Errorf("unknown card abstraction %q: want quick or quick(50,50,50)", name)
	}
	if !EHSFits(g) {
		return sizes, fmt.Errorf("%s: the abstraction %s is for hold'em: four suits, two hole cards, three, one and "+
			"one on the board", g.Name, name)
	}
	sizes[0] = mustSuitIndex(g.NumRanks, 2, 0).size
	for i, size := range defaultEHSSizes {
		if fields[i+1] != "" {
			if size, err = strconv.Atoi(fields[i+1]); err != nil || size < 1 || size > maxEHSBuckets {
				return sizes, fmt.Errorf("card abstraction %q: %s buckets are not from 1 to %d", name, fields[i+1],
					maxEHSBuckets)
			}
		}
		sizes[i+1] = size
	}
	return sizes, nil
}

// newEHS returns the abstraction of a name, "quick" or "quick(50,50,50)" with the
// numbers of buckets on flop, turn and river. Its buckets are not filled in.
func newEHS(g *acpc.Game, name string) (*EHS, error) {
	sizes, err := EHSSizes(g, name)
	if err != nil {
		return nil, err
	}
	q := &EHS{ranks: g.NumRanks, buckets: sizes,
		preflop: mustSuitIndex(g.NumRanks, 2, 0), flop: mustSuitIndex(g.NumRanks, 2, 3),
		turn: mustSuitIndex(g.NumRanks, 2, 4), board: mustSuitIndex(g.NumRanks, 0, 5)}
	q.onFlop, q.onTurn = memory.MakeTable[uint8](q.flop.size), memory.MakeTable[uint8](q.turn.size)
	q.onRiver = memory.MakeTable[int32](q.board.size * (q.buckets[3] - 1))
	return q, nil
}

// OpenEHS returns the abstraction of a name, "quick" or "quick(50,50,50)", for a
// game of hold'em. It is computed once, which takes a processor about ten seconds,
// and kept in a file in a folder, by default the user's cache. A file that cannot
// be used is replaced; if none can be written, the abstraction is computed each
// time. progress, if not nil, is called with the part that is done.
func OpenEHS(g *acpc.Game, name, folder string, progress func(part float64)) (*EHS, error) {
	q, err := newEHS(g, name)
	if err != nil {
		return nil, err
	}
	file, err := q.file(folder)
	if err != nil {
		q.build(runtime.NumCPU(), progress)
		//lint:ignore nilerr without a folder the abstraction is computed each time
		return q, nil
	}
	meta := checkpoint.Meta{Meta: strategy.Meta{Abstraction: q.Name(), Algorithm: ehsVersion}}
	if _, err := checkpoint.Read(file, meta, q); err == nil {
		return q, nil
	}
	q.build(runtime.NumCPU(), progress)
	// A bot may run where no file can be written. Then it computes and plays.
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		atomicfile.RemoveAbandoned(file) // what a killed program was writing
		_ = checkpoint.Write(file, meta, q)
	}
	return q, nil
}

// EHSFile returns the file in which OpenEHS keeps the abstraction of a name for a
// game, whether or not it exists.
func EHSFile(g *acpc.Game, name, folder string) (string, error) {
	q, err := newEHS(g, name)
	if err != nil {
		return "", err
	}
	return q.file(folder)
}

// file returns the file of the buckets in a folder, by default the user's cache. A user
// without one has no file: in the folder for temporary files, anybody could have put it.
func (q *EHS) file(folder string) (string, error) {
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(cache, "gamebots")
	}
	return filepath.Join(folder, fmt.Sprintf("%s-%d-ranks.buckets", q.Name(), q.ranks)), nil
}

// ehsVersion must change whenever the buckets do.
const ehsVersion = "expected hand strength, 1"

// build computes the buckets.
func (q *EHS) build(threads int, progress func(part float64)) {
	s := &strengths{deck: card.Deck(card.NumSuits, q.ranks), threads: threads, progress: progress}
	slices.Sort(s.deck)
	s.turnStrengths()
	s.flopStrengths()
	assign(s, q.onTurn, q.turn, s.turn, q.buckets[2], 0.78)
	assign(s, q.onFlop, q.flop, s.flop, q.buckets[1], 0.85)
	q.divideRiver(s)
}

// assign sets the buckets of a round, by suit index, by its hands' strengths. from is the
// part of all work that is done.
func assign(s *strengths, buckets []uint8, index *SuitIndex, of *boardStrengths, n int, from float64) {
	bucket := percentiles(of.frequencies(), n)
	none := func() struct{} { return struct{}{} }
	each(s, of.index.size, from, from+0.05, none, func(_ struct{}, board int) {
		strength := of.on(board)
		for i, a := range s.deck {
			for j, b := range s.deck[:i] {
				if x := strength[pair(i, j)]; x > 0 {
					buckets[index.Of(a.Bit()|b.Bit(), of.boards.boards[board])] = bucket[x]
				}
			}
		}
	})
}

// percentiles returns the bucket of each strength: n buckets of about the same
// frequency, the weakest first. A strength belongs where the middle of its range
// of the cumulative frequency lies.
func percentiles(frequency []uint64, n int) []uint8 {
	total := uint64(0)
	for _, k := range frequency {
		total += k
	}
	bucket := make([]uint8, len(frequency))
	below := uint64(0)
	for x, k := range frequency {
		bucket[x] = uint8(min(float64(n)*(float64(below)+float64(k)/2)/float64(total), float64(n-1)))
		below += k
	}
	return bucket
}

// divideRiver finds the ranks at which buckets begin on each full board.
func (q *EHS) divideRiver(s *strengths) {
	bucket := percentiles(s.river, q.buckets[3])
	rivers := newBoards(s.deck, 5)
	type worker struct {
		*showdown
		rank []int32 // rank of a class
	}
	newWorker := func() worker { return worker{newShowdown(), make([]int32, numClasses)} }
	each(s, rivers.index.size, 0.9, 1, newWorker, func(w worker, i int) {
		lowest := q.divisions(i)
		for k := range lowest {
			lowest[k] = math.MaxInt32
		}
		card.Subsets(slices.DeleteFunc(slices.Clone(s.deck), rivers.boards[i].Has), 2, func(hole card.Set) {
			rank := hand.ACPC.Rank(rivers.boards[i] | hole)
			c := classOf(rank)
			w.rank[c] = int32(rank)
			w.add(c)
		})
		next := 0
		w.settle(func(c class, strength, _ int) {
			for ; next < int(bucket[strength]); next++ {
				lowest[next] = w.rank[c]
			}
		})
	})
}

// divisions returns the lowest rank of each bucket but the first on a full board.
func (q *EHS) divisions(board int) []int32 {
	n := q.buckets[3] - 1
	return q.onRiver[board*n:][:n]
}

// Name returns the name of the abstraction in strategy files.
func (q *EHS) Name() string {
	return fmt.Sprintf("%s(%d,%d,%d)", EHSName, q.buckets[1], q.buckets[2], q.buckets[3])
}

// NumBuckets returns how many buckets a round has.
func (q *EHS) NumBuckets(round int) int { return q.buckets[round] }

// Bucket returns the bucket of a round in which a deal falls, or -1 for cards
// that the deck cannot deal. It takes about a tenth of a microsecond.
func (q *EHS) Bucket(round int, d Deal) int {
	board := d.Board[0] | d.Board[1] | d.Board[2] | d.Board[3]
	if want := [4]int{0, 3, 4, 5}[round]; board.Len() != want || d.Hole.Len() != 2 || board&d.Hole != 0 ||
		!q.deals(board|d.Hole) {
		return -1
	}
	switch round {
	case 0:
		return q.preflop.Of(d.Hole, 0)
	case 1:
		return int(q.onFlop[q.flop.Of(d.Hole, board)])
	case 2:
		return int(q.onTurn[q.turn.Of(d.Hole, board)])
	}
	bucket, _ := slices.BinarySearch(q.divisions(q.board.Of(0, board)), int32(hand.ACPC.Rank(d.Hole|board))+1)
	return bucket
}

// deals reports whether all cards are in the deck.
func (q *EHS) deals(s card.Set) bool {
	const lanes = 0x0001_0001_0001_0001
	ranks := uint64(1<<card.NumRanks - 1<<(card.NumRanks-q.ranks))
	return s&^card.Set(ranks*lanes) == 0
}

// WriteState writes the buckets.
func (q *EHS) WriteState(w io.Writer) error {
	return errors.Join(checkpoint.WriteSlice(w, q.onFlop), checkpoint.WriteSlice(w, q.onTurn),
		checkpoint.WriteSlice(w, q.onRiver))
}

// ReadState reads a state of WriteState. It returns an error for buckets that the
// abstraction does not have.
func (q *EHS) ReadState(r io.Reader) error {
	err := errors.Join(checkpoint.ReadSlice(r, q.onFlop), checkpoint.ReadSlice(r, q.onTurn),
		checkpoint.ReadSlice(r, q.onRiver))
	if err != nil {
		return err
	}
	for round, buckets := range [][]uint8{1: q.onFlop, 2: q.onTurn} {
		for _, b := range buckets {
			if int(b) >= q.buckets[round] {
				return fmt.Errorf("a bucket %d of %d in round %d", b, q.buckets[round], round)
			}
		}
	}
	for board := range q.board.size {
		if !slices.IsSorted(q.divisions(board)) {
			return errors.New("the buckets of a river are not in order")
		}
	}
	return nil
}

// SuitSymmetric reports that hands that a renaming of the suits turns into each other share
// a bucket.
func (q *EHS) SuitSymmetric() bool { return true }

// IgnoresOrder reports that a bucket does not depend on the order in which the board was
// dealt.
func (q *EHS) IgnoresOrder() bool { return true }
