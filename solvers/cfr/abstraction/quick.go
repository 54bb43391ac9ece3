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
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// Quick is a card abstraction of hold'em by expected hand strength: all hands
// apart before the flop, and in each later round buckets by percentiles of the
// chance to win against any hand, all cards to come being as likely. A bucket
// forgets the rounds before. It is not changed after it is made and may be used
// by several goroutines at once.
//
// The strengths are exact, see strength.go: nothing is sampled.
type Quick struct {
	buckets [4]int // by round
	ranks   int

	preflop, flop, turn, board *suitIndex
	// onFlop and onTurn are the buckets by number in the indices.
	onFlop, onTurn []uint8
	// onRiver has, by number of the board, the least rank of each bucket but
	// the first.
	onRiver []int32
}

// QuickName is what the abstraction is called, with its default sizes.
const QuickName = "quick"

var quickPattern = regexp.MustCompile(`^quick(?:\((\d+),(\d+),(\d+)\))?$`)

// quickSizes is how many buckets there are after each deal, when nobody says:
// enough to win from plain opponents, and trained in minutes.
var quickSizes = [3]int{50, 50, 50}

// maxQuick is the largest number of buckets of a round: they are stored as bytes.
const maxQuick = 256

// IsQuick says whether a name is one of a Quick.
func IsQuick(name string) bool { return quickPattern.MatchString(name) }

// QuickFits says whether a game is hold'em, which a Quick is for.
func QuickFits(g *acpc.Game) bool {
	return g.NumRounds == 4 && g.NumSuits == card.NumSuits && g.NumRanks >= 5 && g.NumHoleCards == 2 &&
		g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} && g.HandRanking == hand.ACPC
}

// newQuick returns the abstraction of a name, "quick" or "quick(50,50,50)" with
// the numbers of buckets on flop, turn and river, without its buckets.
func newQuick(g *acpc.Game, name string) (*Quick, error) {
	fields := quickPattern.FindStringSubmatch(name)
	if fields == nil {
		return nil, fmt.Errorf("unknown card abstraction %q: want quick or quick(50,50,50)", name)
	}
	if !QuickFits(g) {
		return nil, fmt.Errorf("%s: the abstraction %s is for hold'em: four suits, two hole cards, three, one and one on the board", g.Name, name)
	}
	q := &Quick{ranks: g.NumRanks,
		preflop: newSuitIndex(g.NumRanks, 2, 0), flop: newSuitIndex(g.NumRanks, 2, 3),
		turn: newSuitIndex(g.NumRanks, 2, 4), board: newSuitIndex(g.NumRanks, 0, 5)}
	q.buckets[0] = q.preflop.size
	for i, size := range quickSizes {
		if fields[i+1] != "" {
			var err error
			if size, err = strconv.Atoi(fields[i+1]); err != nil || size < 1 || size > maxQuick {
				return nil, fmt.Errorf("card abstraction %q: %s buckets are not from 1 to %d", name, fields[i+1], maxQuick)
			}
		}
		q.buckets[i+1] = size
	}
	q.onFlop, q.onTurn = make([]uint8, q.flop.size), make([]uint8, q.turn.size)
	q.onRiver = make([]int32, q.board.size*(q.buckets[3]-1))
	return q, nil
}

// OpenQuick returns the abstraction of a name, "quick" or "quick(50,50,50)", for
// a game of hold'em. It is made once, which takes a processor about a minute,
// and kept in a file in a folder, by default the user's cache. tell, if not nil,
// is told of the part that is done. A file that cannot be used is made anew;
// where none can be kept, the abstraction is made each time.
func OpenQuick(g *acpc.Game, name, folder string, tell func(part float64)) (*Quick, error) {
	q, err := newQuick(g, name)
	if err != nil {
		return nil, err
	}
	file := q.file(folder)
	meta := checkpoint.Meta{Meta: strategy.Meta{Abstraction: q.Name(), Algorithm: quickVersion}}
	if _, err := checkpoint.Read(file, meta, q); err == nil {
		return q, nil
	}
	q.build(runtime.NumCPU(), tell)
	// A bot may well run where nothing can be written: it waits, and plays.
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = checkpoint.Write(file, meta, q)
	}
	return q, nil
}

// QuickFile returns where OpenQuick keeps the abstraction of a name for a game,
// whether or not it is there.
func QuickFile(g *acpc.Game, name, folder string) (string, error) {
	q, err := newQuick(g, name)
	if err != nil {
		return "", err
	}
	return q.file(folder), nil
}

func (q *Quick) file(folder string) string {
	return filepath.Join(cacheFolder(folder), fmt.Sprintf("%s-%d-ranks.buckets", q.Name(), q.ranks))
}

// cacheFolder returns the folder for buckets, that for temporary files where the
// user has none.
func cacheFolder(folder string) string {
	if folder != "" {
		return folder
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "gamebots")
}

// quickVersion is to be changed with the buckets.
const quickVersion = "expected hand strength, 1"

// build computes the buckets.
func (q *Quick) build(threads int, tell func(part float64)) {
	s := &strengths{quick: q, deck: card.Deck(card.NumSuits, q.ranks), threads: threads, tell: tell}
	slices.Sort(s.deck)
	s.turnStrengths()
	s.flopStrengths()
	q.assign(q.onTurn, s.turn, s.frequencies(4, s.quick.turn, s.turn), q.buckets[2])
	q.assign(q.onFlop, s.flop, s.frequencies(3, s.quick.flop, s.flop), q.buckets[1])
	q.divideRiver(s)
}

// frequencies counts how often each strength is met in a round.
func (s *strengths) frequencies(board int, index *suitIndex, strength []uint32) []uint64 {
	met := make([]uint64, slices.Max(strength)+1)
	boards, counts := s.boards(board)
	for i, b := range boards {
		s.hands(b, func(x, y card.Card) { met[strength[index.of(x.Bit()|y.Bit(), b)]] += counts[i] })
	}
	return met
}

// assign sets the bucket of each number by its strength.
func (q *Quick) assign(buckets []uint8, strength []uint32, met []uint64, n int) {
	of := percentiles(met, n)
	for i, x := range strength {
		buckets[i] = of[x]
	}
}

// percentiles returns the bucket of each strength, by the middle of the part of
// all that have it: n buckets of about the same frequency, the weakest first.
func percentiles(met []uint64, n int) []uint8 {
	total := uint64(0)
	for _, k := range met {
		total += k
	}
	of := make([]uint8, len(met))
	below := uint64(0)
	for x, k := range met {
		of[x] = uint8(min(float64(n)*(float64(below)+float64(k)/2)/float64(total), float64(n-1)))
		below += k
	}
	return of
}

// divideRiver finds the ranks where buckets begin on each full board.
func (q *Quick) divideRiver(s *strengths) {
	of := percentiles(s.river, q.buckets[3])
	boards, _ := s.boards(5)
	each(s, boards, 0.9, 1, func() *showdown { return new(showdown) }, func(d *showdown, i int) {
		least := q.divisions(i)
		for k := range least {
			least[k] = math.MaxInt32
		}
		d.deal(s.deck, boards[i])
		next := 0
		d.groups(func(rank int32, strength int, _ []uint64) {
			for ; next < int(of[strength]); next++ {
				least[next] = rank
			}
		})
	})
}

// divisions returns the least rank of each bucket but the first on a full board.
func (q *Quick) divisions(board int) []int32 {
	n := q.buckets[3] - 1
	return q.onRiver[board*n:][:n]
}

// Name returns what a strategy file calls the abstraction.
func (q *Quick) Name() string {
	return fmt.Sprintf("%s(%d,%d,%d)", QuickName, q.buckets[1], q.buckets[2], q.buckets[3])
}

// NumBuckets returns how many buckets a round has.
func (q *Quick) NumBuckets(round int) int { return q.buckets[round] }

// Bucket returns the bucket of a round in which a deal falls, or -1 for cards
// that the deck cannot deal. It takes about a tenth of a microsecond.
func (q *Quick) Bucket(round int, d Deal) int {
	board := d.Board[0] | d.Board[1] | d.Board[2] | d.Board[3]
	if want := [4]int{0, 3, 4, 5}[round]; board.Len() != want || d.Hole.Len() != 2 || board&d.Hole != 0 || !q.deals(board|d.Hole) {
		return -1
	}
	switch round {
	case 0:
		return q.preflop.of(d.Hole, 0)
	case 1:
		return int(q.onFlop[q.flop.of(d.Hole, board)])
	case 2:
		return int(q.onTurn[q.turn.of(d.Hole, board)])
	}
	bucket, _ := slices.BinarySearch(q.divisions(q.board.of(0, board)), int32(hand.ACPC.Rank(d.Hole|board))+1)
	return bucket
}

// deals says whether the deck has all of some cards.
func (q *Quick) deals(s card.Set) bool {
	const lanes = 0x0001_0001_0001_0001
	ranks := uint64(1<<card.NumRanks - 1<<(card.NumRanks-q.ranks))
	return s&^card.Set(ranks*lanes) == 0
}

// WriteState writes the buckets, for a file.
func (q *Quick) WriteState(w io.Writer) error {
	return errors.Join(checkpoint.WriteSlice(w, q.onFlop), checkpoint.WriteSlice(w, q.onTurn), checkpoint.WriteSlice(w, q.onRiver))
}

// ReadState reads what WriteState wrote.
func (q *Quick) ReadState(r io.Reader) error {
	return errors.Join(checkpoint.ReadSlice(r, q.onFlop), checkpoint.ReadSlice(r, q.onTurn), checkpoint.ReadSlice(r, q.onRiver))
}
