package jobs

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"gamebots/bots/grid"
	"gamebots/cudalib"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// SelfPlayKind is the kind of jobs that play games of Havannah by a network, done by [SelfPlayJob]. The shared part is
// the network's file, the spec a packed selfPlaySpec, and the result the packed progress of each game.
const SelfPlayKind = "self-play"

// selfPlaySpec is some games for a GPU of a name, or for any processor.
type selfPlaySpec struct {
	GPU string
	selfplay.Rounds
}

// Sizes of self-play.
const (
	partOnCPU = selfplay.ThreadGames // games of a job for a thread
	partOnGPU = selfplay.DeviceGames // games of a job for a GPU
	maxPacked = 1 << 28              // bytes of a spec or result when unpacked
)

// pack returns the compressed gob of a value.
func pack(v any) ([]byte, error) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err == nil {
		err = errors.Join(gob.NewEncoder(z).Encode(v), z.Close())
	}
	return b.Bytes(), err
}

// unpack reads what pack returned, of at most so many bytes.
func unpack(data []byte, most int64, v any) error {
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxPacked))
	if err != nil {
		return err
	}
	defer z.Close()
	return gob.NewDecoder(io.LimitReader(z, most)).Decode(v) // the decoder's limit is for its window only
}

// SelfPlayJob returns the function that does jobs of SelfPlayKind, those of the CPU on a thread each, and those of the
// GPU that open returns one at a time, while others wait for their data.
func SelfPlayJob(open func() (*cudalib.Device, error)) grid.Func {
	var nets grid.Cache[uint64, *hexnet.Net] // networks by checksum
	s := &selfPlayers{open: open, idle: map[selfPlayer][]*selfplay.Player{}}
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		n, err := nets.Get(xxh3.Hash(job.Shared), func() (*hexnet.Net, error) { return hexnet.Parse(job.Shared) })
		if err != nil {
			return nil, err
		}
		var spec selfPlaySpec
		if err := unpack(job.Spec, maxPacked, &spec); err != nil {
			return nil, err
		}
		progress, err := s.play(ctx, n, &spec)
		if err != nil {
			return nil, err
		}
		return pack(progress)
	}
}

// selfPlayers are the players of a process.
type selfPlayers struct {
	open func() (*cudalib.Device, error)
	gpu  sync.Mutex // held by who plays on the GPU

	mu   sync.Mutex
	idle map[selfPlayer][]*selfplay.Player
}

// selfPlayer tells players apart.
type selfPlayer struct {
	size        hexnet.Config
	side, games int // games is 0 on the CPU
}

func (s *selfPlayers) play(ctx context.Context, n *hexnet.Net, spec *selfPlaySpec) ([]selfplay.Progress, error) {
	o, key := selfplay.Options{Threads: 1}, selfPlayer{n.Config, spec.Side, 0}
	if spec.GPU != "" {
		device, err := s.open()
		if err != nil || device == nil || device.Info().Name != spec.GPU {
			return nil, &grid.UnwillingError{Err: fmt.Errorf("these games are for the GPU %s, "+
				"because another device rounds differently", spec.GPU)}
		}
		s.gpu.Lock()
		defer s.gpu.Unlock()
		o.Device, o.Threads, key.games = device, runtime.NumCPU(), partOnGPU
	}
	p, err := s.take(key, n, o)
	if err != nil {
		return nil, err
	}
	progress, err := p.Play(ctx, n, &spec.Rounds)
	if err != nil { // it may be broken
		return nil, errors.Join(err, p.Close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle[key] = append(s.idle[key], p)
	return progress, nil
}

// take returns a player that nobody uses.
func (s *selfPlayers) take(key selfPlayer, n *hexnet.Net, o selfplay.Options) (*selfplay.Player, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all := s.idle[key]; len(all) > 0 {
		s.idle[key] = all[:len(all)-1]
		return all[len(all)-1], nil
	}
	return selfplay.NewPlayer(key.side, n, partOnGPU, o)
}

// PlayOn returns a function that plays rounds on a grid, on GPUs of a name or, if that is "", on processors, until the
// context ends.
func PlayOn(ctx context.Context, g grid.Grid, gpu string) selfplay.PlayFunc {
	size := partOnCPU
	if gpu != "" {
		size = partOnGPU
	}
	return func(n *hexnet.Net, r *selfplay.Rounds) ([]selfplay.Progress, error) {
		net, err := n.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		run, all := NewRun(SelfPlayKind), make([]selfplay.Progress, len(r.Games))
		var failed error
		parts := func(yield func(grid.Job) bool) {
			shard := 0
			for games := range slices.Chunk(r.Games, size) {
				job := grid.Job{Run: run, Shard: shard, Kind: SelfPlayKind, Shared: net}
				part := selfplay.Rounds{Side: r.Side, Rounds: r.Rounds, Games: games}
				if job.Spec, failed = pack(selfPlaySpec{gpu, part}); failed != nil || !yield(job) {
					return
				}
				shard++
			}
		}
		err = g.Run(ctx, parts, func(job grid.Job, result []byte) error {
			var progress []selfplay.Progress
			if err := unpack(result, maxPacked, &progress); err != nil {
				return fmt.Errorf("%v: %w", job, err)
			}
			first := job.Shard * size
			if want := min(size, len(all)-first); len(progress) != want {
				return fmt.Errorf("%v: %d games, not %d", job, len(progress), want)
			}
			copy(all[first:], progress)
			return nil
		})
		return all, errors.Join(err, failed)
	}
}
