package jobs

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/cudalib"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"
)

// A small message that becomes large is refused before it does.
func TestUnpackBounds(t *testing.T) {
	const most = 1 << 20
	for size, fits := range map[int]bool{most / 2: true, 2 * most: false} {
		data, err := pack(make([]byte, size))
		if err != nil || len(data) > most/100 {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		var all []byte
		if err := unpack(data, most, &all); (err == nil) != fits || fits != (len(all) == size) {
			t.Errorf("%d of %d bytes are unpacked: %v", len(all), size, err)
		}
	}
}

// A training whose games are jobs learns the same as alone, and GPUs of another name refuse its games.
func TestSelfPlay(t *testing.T) {
	settings := selfplay.Settings{
		Config: hexnet.Config{Blocks: 1, Channels: 16}, Sides: []int{3}, Seed: 7, Games: 20, Generation: 2,
	}
	train := func(o selfplay.Options) []byte {
		training, err := selfplay.New(settings, o)
		if err != nil {
			t.Fatal(err)
		}
		defer training.Close()
		for range 3 {
			if _, err := training.Step(); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := training.WriteState(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	none := func() (*cudalib.Device, error) { return nil, errors.New("no GPU") }
	g := &grid.Local{Kinds: grid.Kinds{SelfPlayKind: SelfPlayJob(none)}, Threads: 3}
	alone := train(selfplay.Options{Threads: 1})
	if !bytes.Equal(train(selfplay.Options{Threads: 1, Elsewhere: PlayOn(t.Context(), g, "")}), alone) {
		t.Error("it learns something else than alone")
	}

	_, err := PlayOn(t.Context(), g, "a GPU")(hexnet.New(settings.Config, 1),
		&selfplay.Rounds{Side: 3, Rounds: 1, Games: make([]selfplay.GameState, 4)})
	if unwilling := (*grid.UnwillingError)(nil); !errors.As(err, &unwilling) {
		t.Errorf("without the GPU: %v", err)
	}
	if _, err := g.Kinds.Do(context.Background(), grid.Job{Kind: SelfPlayKind}); err == nil {
		t.Error("a job without a network")
	}
}

// Games end with the context of their job, long before their last round.
func TestSelfPlayStops(t *testing.T) {
	config := hexnet.Config{Blocks: 8, Channels: 64}
	net, err := hexnet.New(config, 1).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	games := selfplay.Rounds{Side: 8, Rounds: 64, Games: make([]selfplay.GameState, partOnCPU)}
	spec, err := pack(selfPlaySpec{"", games})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	do := SelfPlayJob(func() (*cudalib.Device, error) { return nil, nil })
	result, err := do(ctx, grid.Job{Kind: SelfPlayKind, Shared: net, Spec: spec})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d bytes of games that nobody wants, error %v", len(result), err)
	}
}
