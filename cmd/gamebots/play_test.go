package main

import (
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

func TestResultLine(t *testing.T) {
	g := &acpc.Game{NumPlayers: 2, Blind: [acpc.MaxPlayers]int32{50, 100}}
	for _, c := range []struct {
		hands int
		chips float64
		want  string
	}{
		{0, 0, "0 hands, 0 chips\n"},
		{1, 2, "1 hand, 2 chips, 20.0 mb a hand\n"},
		{1, -1, "1 hand, -1 chip, -10.0 mb a hand\n"},
		{3000, 12345678, "3000 hands, 12345678 chips, 41152.3 mb a hand\n"},
		{3, -1. / 3, "3 hands, -0.333333 chips, -1.1 mb a hand\n"},
		{3, -1e-12, "3 hands, 0 chips, 0.0 mb a hand\n"},
	} {
		if got := resultLine(c.hands, c.chips, money.UsualIn(g)); got != c.want {
			t.Errorf("%d hands and %v chips: %q, want %q", c.hands, c.chips, got, c.want)
		}
	}
}
