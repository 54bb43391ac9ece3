package gate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gamebots/acpc/card"
)

// A hand leaves of a range the hands that share no card with it. Where these are none, the sums of what is
// blocked round, and it leaves nothing.
func TestOpposing(t *testing.T) {
	set := func(text string) card.Set {
		s, err := card.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	own := []card.Set{set("AsAh"), set("AsKd"), set("KcKd"), set("As"), 0}
	var other []card.Set
	for _, text := range strings.Fields("AsKs AsQs AsJs AhKh AhQh AhJh AsAh AsKd Ah KcKd 2c2d") {
		other = append(other, set(text))
	}
	r := rand.New(rand.NewPCG(1, 2))
	blocked := 0
	for range 1000 {
		reach := make([]float32, len(other))
		for i := range len(reach) - 2 {
			reach[i] = r.Float32()
		}
		if r.IntN(2) == 0 {
			reach[len(reach)-1] = r.Float32() * 1e-3
		}
		got := Opposing(own, other, reach)
		for i, x := range own {
			want, total := 0.0, 0.0
			for j, y := range other {
				total += float64(reach[j])
				if x != 0 && x&y == 0 {
					want += float64(reach[j])
				}
			}
			if want < 1e-5*total {
				want = 0
				blocked++
			}
			if (got[i] == 0) != (want == 0) || math.Abs(got[i]-want) > 1e-14*total {
				t.Fatalf("%v leaves %g, want %g", x, got[i], want)
			}
		}
	}
	if blocked < 1400 || blocked > 1700 {
		t.Errorf("%d hands leave nothing", blocked)
	}
}
