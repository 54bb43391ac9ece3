package ranges

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/card"
)

// Range is a weight from 0 to 1 for every two hole cards. The zero Range is empty.
type Range struct {
	weights [card.DeckSize * (card.DeckSize - 1) / 2]float64
}

// index returns the place of two hole cards in a Range.
func index(hole card.Set) int {
	a, b := cardAt(bits.TrailingZeros64(uint64(hole))), cardAt(bits.Len64(uint64(hole))-1)
	high, low := max(a, b), min(a, b)
	return high*(high-1)/2 + low
}

// cardAt returns the card of a bit of a set.
func cardAt(bit int) int { return int(card.New(bit%16, bit/16)) }

// Weight returns the weight of two hole cards.
func (r *Range) Weight(hole card.Set) float64 { return r.weights[index(hole)] }

// Set sets the weight of two hole cards.
func (r *Range) Set(hole card.Set, weight float64) { r.weights[index(hole)] = weight }

// Parse reads a range: items apart by commas, each with an optional weight, as in
//
//	AA                 the six pairs of aces
//	AKs, AKo, AK       suited, offsuit, both
//	TT+, ATs+          tens or better; an ace with a ten or better
//	99-66, A5s-A2s     from one to the other
//	AhKd               two cards
//	QQ:0.5             half of the queens
//	random             all hands
//
// A later item overrides an earlier one. Letters may be of either case, and suits signs such as ♠.
func Parse(text string) (*Range, error) {
	r := new(Range)
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		holes, weight, err := parseItem(item)
		if err != nil {
			return nil, fmt.Errorf("range: %w", err)
		}
		for _, hole := range holes {
			r.Set(hole, weight)
		}
	}
	return r, nil
}

// parseItem returns the hands of an item and their weight.
func parseItem(item string) (holes []card.Set, weight float64, err error) {
	hands, weightText, weighted := strings.Cut(item, ":")
	weight = 1
	if weighted {
		if weight, err = strconv.ParseFloat(weightText, 64); err != nil || !(weight >= 0 && weight <= 1) {
			return nil, 0, fmt.Errorf("%q: the weight is not from 0 to 1", item)
		}
	}
	if two := card.Plain(hands); len(two) == 4 {
		a, errA := card.Parse(two)
		b, errB := card.Parse(two[2:])
		if errA == nil && errB == nil {
			if a == b {
				return nil, 0, fmt.Errorf("%q: a card is there twice", item)
			}
			return []card.Set{card.SetOf(a, b)}, weight, nil
		}
	}
	classes, err := allClasses, error(nil)
	if !strings.EqualFold(hands, "random") {
		classes, err = parseRun(hands)
	}
	for _, c := range classes {
		holes = append(holes, c.Hands()...)
	}
	return holes, weight, err
}

// allClasses are those of the table.
var allClasses = slices.Concat(lines()...)

// parseRun returns the classes of an item without its weight.
func parseRun(text string) ([]Class, error) {
	if start, plus := strings.CutSuffix(text, "+"); plus {
		classes, err := parseClasses(start)
		var all []Class
		for _, c := range classes {
			all = append(all, c.upTo(c.best())...)
		}
		return all, err
	}
	first, last, run := strings.Cut(text, "-")
	if !run {
		return parseClasses(text)
	}
	from, err := parseClasses(first)
	if err != nil {
		return nil, err
	}
	to, err := parseClasses(last)
	if err != nil {
		return nil, err
	}
	var all []Class
	for i := range from {
		if len(from) != len(to) || from[i].best() != to[i].best() {
			return nil, fmt.Errorf("%q: %v and %v are not in one line of the table", text, first, last)
		}
		all = append(all, max(from[i], to[i]).upTo(min(from[i], to[i]))...)
	}
	return all, nil
}

// A line of the table is a series of classes that "+" and "-" run over: the pairs, or the
// hands of one kind with the same higher card. From best to worst their numbers ascend.

// best returns the best class of the line of a class.
func (c Class) best() Class {
	switch row, column := c.Row(), c.Column(); {
	case row < column:
		return ClassAt(row, row+1)
	case row > column:
		return ClassAt(column+1, column)
	}
	return ClassAt(0, 0)
}

// next returns the class after c in its line, which may be outside of the table.
func (c Class) next() Class {
	switch row, column := c.Row(), c.Column(); {
	case row < column:
		return c + 1
	case row > column:
		return c + card.NumRanks
	}
	return c + card.NumRanks + 1
}

// upTo returns the classes of a line from one to a better one, the best first.
func (c Class) upTo(better Class) (all []Class) {
	for ; better <= c; better = better.next() {
		all = append(all, better)
	}
	return all
}

// String returns the range in the notation of Parse, with runs as in "TT+" and "A5s-A2s".
// Equal ranges have equal texts.
func (r *Range) String() string {
	var items []string
	if w := r.weights[0]; w != 0 && !slices.ContainsFunc(r.weights[:], func(x float64) bool { return x != w }) {
		return weighted("random", w)
	}
	add := func(text string, weight float64) { items = append(items, weighted(text, weight)) }
	for _, line := range lines() {
		for len(line) > 0 {
			weight, even := r.class(line[0])
			n := 1
			for ; even && n < len(line); n++ {
				if w, e := r.class(line[n]); !e || w != weight {
					break
				}
			}
			switch first, last := line[0], line[n-1]; {
			case !even:
				for _, hole := range first.Hands() {
					if w := r.Weight(hole); w != 0 {
						add(hole.String(), w)
					}
				}
			case weight == 0:
			case n == 1:
				add(first.String(), weight)
			case first == first.best():
				add(last.String()+"+", weight)
			default:
				add(first.String()+"-"+last.String(), weight)
			}
			line = line[n:]
		}
	}
	return strings.Join(items, ",")
}

// weighted returns an item of Parse.
func weighted(hands string, weight float64) string {
	if weight == 1 {
		return hands
	}
	return hands + ":" + strconv.FormatFloat(weight, 'g', -1, 64)
}

// lines returns the lines of the table: the pairs, and for each higher card the suited and
// the offsuit hands.
func lines() (all [][]Class) {
	all = append(all, ClassAt(card.NumRanks-1, card.NumRanks-1).upTo(0))
	for high := range card.NumRanks - 1 {
		suited, offsuit := ClassAt(high, card.NumRanks-1), ClassAt(card.NumRanks-1, high)
		all = append(all, suited.upTo(suited.best()), offsuit.upTo(offsuit.best()))
	}
	return all
}

// class returns the weight of the hands of a class, and reports whether all have the same.
func (r *Range) class(c Class) (weight float64, even bool) {
	hands := c.Hands()
	weight = r.Weight(hands[0])
	for _, hole := range hands {
		if r.Weight(hole) != weight {
			return 0, false
		}
	}
	return weight, true
}
