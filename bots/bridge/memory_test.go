package bridge

import (
	"context"
	"runtime"
	"testing"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// hungry resigns, with an engine that takes memory.
type hungry struct{}

func (hungry) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) {
	e := &hungryEngine{make([]byte, tree)}
	for i := range e.tree {
		e.tree[i] = 1
	}
	return e, nil
}

const tree = 256 << 20

type hungryEngine struct{ tree []byte }

func (*hungryEngine) Decide(context.Context, *wire.Game, hexproto.Budget) (hexproto.Decision, error) {
	return hexproto.Decision{Resign: true}, nil
}

func (*hungryEngine) Close() error { return nil }

// A bot that waits for games has given the memory of the last one back.
func TestMemoryIsGivenBack(t *testing.T) {
	b := newReal(t).bridge("hungry", hungry{}, func(s *configs.BoardBot) {
		s.Challenge.Enabled, s.Challenge.Games, s.Challenge.Opponents = true, 1, []string{"random"}
		s.Challenge.Options, s.Challenge.Seat, s.Challenge.Tag = `{"side":4}`, "first", "t"
	})
	ended := make(chan bool)
	b.OnEnd = func(*wire.Game) { close(ended) }
	run(t, b)
	<-ended
	held := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	for end := time.Now().Add(patience); held() > tree; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d MiB are held", held()>>20)
		}
	}
}
