package stats

import (
	"math/rand/v2"
	"testing"
)

// The interval has the centre as often as it says, and values far away do not widen it much.
func TestSignedRank(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const trials = 2000
	within, length, longest := 0, 0.0, 0.0
	for range trials {
		values := make([]float64, 25)
		for i := range values {
			values[i] = 3 + random.NormFloat64()
		}
		centre, low, high := SignedRank(values, 0.95)
		if low > centre || centre > high {
			t.Fatalf("%v is not from %v to %v", centre, low, high)
		}
		if low <= 3 && 3 <= high {
			within++
		}
		length += high - low
		values[0], values[1] = -1000, 1000
		_, low, high = SignedRank(values, 0.95)
		longest = max(longest, high-low)
	}
	// Of a normal distribution the interval of the mean has 0.83 on average.
	if part := float64(within) / trials; part < 0.94 || part > 0.97 || length/trials > 0.9 || longest > 2.5 {
		t.Errorf("%v of the intervals have the centre, they are %v long and with outliers %v at most",
			part, length/trials, longest)
	}
}
