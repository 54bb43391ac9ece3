package figures

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

// A single observation has no interval.
func TestPlusMinus(t *testing.T) {
	for half, want := range map[float64]string{
		12.345: "± 12.3", 0: "± 0.0", math.Inf(1): "± ?", math.NaN(): "± ?",
	} {
		if got := PlusMinus(half, 1); got != want {
			t.Errorf("%v: %s, want %s", half, got, want)
		}
	}
}

// Values are written in the unit that is asked for, and with its name as people write it.
func TestByPosition(t *testing.T) {
	g := &acpc.Game{NumPlayers: 2, Blind: [acpc.MaxPlayers]int32{1, 2}}
	for unit, want := range map[money.Unit][2]string{
		money.Usual: {"0.5 chips to the first position", "0.5, -0.25, -0.25 chips by position"},
		money.MB:    {"250 mb to the first position", "250, -125, -125 mb by position"},
		money.BB100: {"25 bb/100 to the first position", "25, -12.5, -12.5 bb/100 by position"},
	} {
		format, err := unit.In(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := ByPosition([]float64{0.5, -0.5}, format); got != want[0] {
			t.Errorf("%q: %s, want %s", unit, got, want[0])
		}
		if got := ByPosition([]float64{0.5, -0.25, -0.25}, format); got != want[1] {
			t.Errorf("%q: %s, want %s", unit, got, want[1])
		}
	}
}
