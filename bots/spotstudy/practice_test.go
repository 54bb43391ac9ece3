package spotstudy

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A person plays hands to their ends, sees its own cards before a showdown and the other ones at it only, and is judged
// at each decision.
func TestPractice(t *testing.T) {
	var out strings.Builder
	commands := strings.Split("?,b7,1,1,x,x,c,2,f,3,3,c,c,c", ",")
	p := &Practice{
		Solution: solved(t), Out: &out, ReadLine: typed(commands...),
		Random: rand.New(rand.NewPCG(1, 0)), Hands: 4,
	}
	if err := p.Play(); err != nil {
		t.Fatal(err)
	}
	seen := out.String()
	for _, part := range []string{
		"hand 1: you are out of position with ", "hand 2: you are in position with ", "q leaves",
		"the solution plays ", " loses ", "showdown on [", "chips a hand", "% of the pot",
	} {
		if !strings.Contains(seen, part) {
			t.Errorf("%s\nwithout %q", seen, part)
		}
	}
	before, _, _ := strings.Cut(seen, "showdown on")
	if strings.Contains(before, "the other player") {
		t.Errorf("the other player's cards are seen before the showdown:\n%s", before)
	}
}

// Hands are dealt in proportion to their weights, without a card twice, and what the best action loses is nothing.
func TestPracticeDeals(t *testing.T) {
	s := solved(t)
	random := rand.New(rand.NewPCG(2, 0))
	seen := map[string]int{}
	for range 3000 {
		d, err := newDeal(s.Spot(), random, 0)
		if err != nil {
			t.Fatal(err)
		}
		holes := d.holes
		seen[holes[0].String()]++
		r := s.Spot().Ranges
		if holes[0]&holes[1] != 0 || r[0].Weight(holes[0]) == 0 || r[1].Weight(holes[1]) == 0 {
			t.Fatalf("%v", holes)
		}
	}
	// Nine hands are in the range: three of queens, one of AhJh and KsTs each, and four of 98s.
	if len(seen) != 9 || seen["9h8h"] < 250 || seen["9h8h"] > 500 {
		t.Errorf("%v", seen)
	}
	n, err := s.At("")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n.Hands[0] {
		least := 1e9
		for a := range n.Actions {
			least = min(least, lostBy(&n.Hands[0][i], a))
		}
		if least > 1e-6 {
			t.Errorf("%v loses %g by its best action", n.Hands[0][i].Hole, least)
		}
	}
}
