package records

import (
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// snakeOf returns a sequence of a length, which differs for each number.
func snakeOf(length, number int) cube.Sequence {
	s := make(cube.Sequence, length)
	s[0], s[1] = uint8(number), uint8(number>>8)
	return s
}

// TestPool keeps snakes of the longest lengths: of each the last ones added, so many of a length and
// of a family, each once.
func TestPool(t *testing.T) {
	var p pool
	stream := nmcs.RunKey(1, 0).Stream(0)
	if p.draw(&stream).whole != nil {
		t.Error("an empty pool has a snake")
	}
	longest := 0
	for _, length := range []int{10, 12, 11, 15, 9, 13, 12, 11, 10} {
		for number := range 2 * maxClass {
			for range 2 { // the second one is known
				family := uint64(length)<<32 | uint64(number/(maxFamily+1)) // maxFamily+1 snakes each
				if longer := p.add(pooled{whole: snakeOf(length, number),
					family: family}); longer != (length > longest) {
					t.Fatalf("a snake of %d edges is longer than %d: %v", length, longest, longer)
				}
				longest = max(longest, length)
			}
		}
	}
	got, known, families := map[int]int{}, map[string]bool{}, map[uint64]int{}
	for _, x := range p.all() {
		got[len(x.whole)]++
		known[string(x.whole)] = true
		families[x.family]++
	}
	for length, want := range map[int]int{15: maxClass, 13: maxClass, 12: maxClass} { // there is none of 14
		if got[length] != want {
			t.Errorf("%d snakes of %d edges, want %d", got[length], length, want)
		}
		delete(got, length)
	}
	if len(got) > 0 || len(known) != 3*maxClass {
		t.Errorf("other lengths: %v, %d different snakes", got, len(known))
	}
	for number, left := 2*maxClass-1, maxClass; left > 0; number-- {
		if number%(maxFamily+1) == maxFamily { // one too many of its family
			continue
		}
		if left--; !known[string(snakeOf(15, number))] {
			t.Errorf("snake %d was replaced", number)
		}
	}
	if p.add(pooled{whole: snakeOf(15, 0), family: 15 << 32}); !slices.ContainsFunc(p.all(),
		func(x pooled) bool { return slices.Equal(x.whole, snakeOf(15, 0)) }) {
		t.Error("a snake that was replaced is not taken again")
	}
	for family, n := range families {
		if n > maxFamily {
			t.Errorf("family %x has %d snakes", family, n)
		}
	}
	drawn := map[int]int{}
	const draws = 3000
	for range draws {
		drawn[len(p.draw(&stream).whole)]++
	}
	for length, share := range map[int]float64{15: 1. / 2, 13: 1. / 4, 12: 1. / 4} {
		if d := float64(drawn[length])/draws - share; d < -0.05 || d > 0.05 {
			t.Errorf("%d of %d draws are of %d edges, want a share of %.2f", drawn[length], draws, length, share)
		}
	}
	if all := p.all(); !slices.IsSortedFunc(all, func(x, y pooled) int { return len(y.whole) - len(x.whole) }) {
		t.Error("the longest snakes do not come first")
	}
}
