package spotstudy

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot"
)

// A Board is cards as they are dealt, and how much they count.
type Board struct {
	Cards  string
	Weight float64
}

// maxBoards is the most boards of a file.
const maxBoards = 100_000

// ReadBoards reads boards, one a line: the cards, and a weight if it is not 1, apart by blanks, a comma or a colon, as
// in "QsJh2h 0.5", "Qs Jh 2h" or "QsJh2h:12". Text after # is a comment. All have as many cards.
func ReadBoards(r io.Reader) (all []Board, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;:", r) })
		if len(fields) == 0 {
			continue
		}
		b := Board{Weight: 1}
		last := fields[len(fields)-1]
		if _, err := spot.ParseBoard(last); err != nil {
			if b.Weight, err = strconv.ParseFloat(last, 64); err != nil || !(b.Weight >= 0 && b.Weight <= 1e9) {
				return nil, fmt.Errorf("line %d: %q is neither a card nor a weight", number, last)
			}
			fields = fields[:len(fields)-1]
		}
		cards, err := spot.ParseBoard(strings.Join(fields, ""))
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", number, err)
		case len(cards) < 3 || len(cards) > 5 || card.SetOf(cards...).Len() < len(cards):
			return nil, fmt.Errorf("line %d: %q is not a flop, a turn or a river", number, strings.TrimSpace(text))
		case len(all) > 0 && len(all[0].Cards) != 2*len(cards):
			return nil, fmt.Errorf("line %d: %d cards, and %d before", number, len(cards), len(all[0].Cards)/2)
		case len(all) == maxBoards:
			return nil, fmt.Errorf("line %d: more than %d boards", number, maxBoards)
		}
		b.Cards = cards.Text()
		all = append(all, b)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the file has no boards")
	}
	return all, nil
}

// NumFlops is the number of flops that differ in more than names of suits.
const NumFlops = 1755

// Flops returns n flops, from 1 to [NumFlops], with weights that add up to that of all 22,100. They are spread evenly
// over the flops of the same pairs and suits in the order of their ranks, in proportion to how often these are dealt.
func Flops(n int) (all []Board) {
	every := allFlops()
	if n >= len(every) {
		return every
	}
	total := 0.0
	for _, b := range every {
		total += b.Weight
	}
	part, passed := total/float64(n), 0.0
	for _, b := range every {
		before := passed
		passed += b.Weight
		// The middles of the n parts of the deals that are among those of this flop.
		if count := int(passed/part+.5) - int(before/part+.5); count > 0 {
			all = append(all, Board{b.Cards, float64(count) * part})
		}
	}
	return all
}

// allFlops returns all flops, up to names of suits, with the number of their deals.
func allFlops() (all []Board) {
	renamings := abstraction.Renamings()
	count := map[card.Set]float64{}
	card.Subsets(card.Deck(card.NumSuits, card.NumRanks), 3, func(flop card.Set) {
		first := flop
		for _, r := range renamings {
			first = min(first, r.Of(flop))
		}
		count[first]++
	})
	flops := slices.SortedFunc(maps.Keys(count), func(x, y card.Set) int {
		return cmp.Or(slices.Compare(pattern(x), pattern(y)), cmp.Compare(y, x))
	})
	for _, flop := range flops {
		all = append(all, Board{flop.String(), count[flop]})
	}
	return all
}

// pattern returns which cards of a flop, the highest first, have the same suits and ranks, and then the ranks.
func pattern(flop card.Set) []int {
	c := slices.Collect(flop.All())
	same := 0
	for _, x := range [3]bool{c[0].Suit() == c[1].Suit(), c[1].Suit() == c[2].Suit(), c[0].Suit() == c[2].Suit()} {
		same *= 2
		if x {
			same++
		}
	}
	pairs := 0
	if c[0].Rank() == c[1].Rank() || c[1].Rank() == c[2].Rank() {
		pairs = 1
	}
	return []int{pairs, same, -c[0].Rank(), -c[1].Rank(), -c[2].Rank()}
}
