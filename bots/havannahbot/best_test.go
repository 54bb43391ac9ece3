package havannahbot

import (
	"strconv"
	"testing"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
	"gamebots/solvers/hexnet"
)

// Best plays by the network on boards from the smallest on which that was trained, and else by tree search with it.
// With a limit of simulations it is the tree search.
func TestBest(t *testing.T) {
	net := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
	net.Origin.Sides = []int{4, 6}
	for _, test := range []struct {
		side, simulations int
		network           bool
	}{
		{3, 0, false}, {4, 0, true}, {5, 0, true}, {13, 0, true}, {5, 10, false},
	} {
		position := at(t, stateOf(strconv.Itoa(test.side), "a1"), 1)
		b := Best{MCTS{Net: net, Simulations: test.simulations, Time: time.Millisecond, Memory: 4 << 20,
			Device: cudalib.CPU()}}
		e, err := b.Open(t.Context(), position)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		switch e := e.(type) {
		case *gumbelEngine:
			if !test.network || e.bot.Net != net || e.bot.Memory != 4<<20 {
				t.Errorf("side %d, %d simulations: %+v", test.side, test.simulations, e.bot)
			}
		case *mctsEngine:
			if test.network || e.Net != net {
				t.Errorf("side %d, %d simulations: %+v", test.side, test.simulations, e.MCTS)
			}
		}
		if d, err := e.Decide(t.Context(), position, 0); err != nil || d.Move == "" {
			t.Errorf("side %d: %+v, %v", test.side, d, err)
		}
	}
	if _, err := (Best{}).Open(t.Context(), at(t, stateOf("4"), 0)); err == nil {
		t.Error("it plays without a network")
	}
}

// The memory of a search bounds its evaluations.
func TestGumbelMemory(t *testing.T) {
	b := Gumbel{Memory: 1 << 20}
	if n, timed := b.evaluations(time.Second, 271); !timed || n != 1<<20/(evaluationBytes*271) {
		t.Errorf("%d evaluations, %v", n, timed)
	}
}

// A network accepts a draw where it expects to lose, as the tree search does.
func TestGumbelAcceptsDraws(t *testing.T) {
	// White has two edges and a corner's neighbours: the next stone completes a bridge between corners.
	won := stateOf("3", "a1", "d3", "a2", "d4")
	player := Gumbel{Net: hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)}
	var judge hexproto.Judge
	for seat, want := range []bool{false, true} {
		e, err := Bot(player).Open(t.Context(), won, seat)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		judge = e.(hexproto.Judge)
		if got := judge.Accept(t.Context(), won, wire.OfferDraw); got != want {
			t.Errorf("seat %d accepts a draw: %v, want %v", seat, got, want)
		}
	}
	if judge.Accept(t.Context(), won, wire.OfferTakeback) {
		t.Error("it allows to take back a move")
	}
}
