package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/client"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/internal/memory"

	"golang.org/x/sync/errgroup"
)

// botsLoad is a load of a server's own bots. An account challenges the strongest to many
// games without clocks on the largest board and answers each of its moves at once.
// Meanwhile a second account measures how soon bots begin a game, and a third plays games with
// clocks.
type botsLoad struct {
	challenges int
	lasts      time.Duration
}

var fullBots = botsLoad{challenges: 500, lasts: 10 * time.Minute}

// botsCounts count the events that the accounts have seen.
type botsCounts struct {
	refused        int // challenges of the many games
	nim, havannah  []time.Duration
	clocked, ended int // games with clocks, and those of them that the bot lost on time, or that were aborted
}

// run starts a server with a database of its own, loads it and ends it.
func (l botsLoad) run(ctx context.Context, emit func(Row)) {
	dir := must(os.MkdirTemp("", "gamebots-bench-"))
	defer os.RemoveAll(dir)
	server := exec.CommandContext(ctx, must(cli.Beside("gamebots")), "serve", "--listen", "127.0.0.1:0",
		"--log-level", "error",
		"--database", filepath.Join(dir, "games.db"), "--set", "account-storage=1GiB")
	server.Stderr = os.Stderr
	out := must(server.StdoutPipe())
	check(server.Start())
	defer func() { _, _ = server.Process.Kill(), server.Wait() }()
	line := must(bufio.NewReader(out).ReadString('\n'))
	address := "ws" + strings.TrimPrefix(strings.TrimSpace(line), "http") + "/ws"
	check(l.load(ctx, address, server.Process.Pid, emit))
}

// load loads a server.
func (l botsLoad) load(ctx context.Context, address string, pid int, emit func(Row)) error {
	var n botsCounts
	timed, cancel := context.WithTimeout(ctx, l.lasts)
	defer cancel()
	group, until := errgroup.WithContext(timed)
	for name, play := range map[string]func(context.Context, *visitor, *botsCounts) error{"many": l.flood,
		"begins": beginGames, "clocked": playClocked} {
		v := &visitor{ready: make(chan struct{}), heard: make(chan wire.Message, 1024)}
		v.URL, v.Handler = address, v
		v.Hello = wire.Hello{Version: wire.Version, Name: name, Views: true}
		v.SaveToken = func(string) error { return nil }
		group.Go(func() error { return v.Run(until) })
		group.Go(func() error {
			select {
			case <-v.ready:
			case <-until.Done():
			}
			return play(until, v, &n)
		})
	}
	if err := group.Wait(); timed.Err() == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if len(n.nim) == 0 || len(n.havannah) == 0 {
		return errors.New("no bot has moved")
	}
	emitAll(emit, Row{Case: fmt.Sprintf("%d challenges, side %d", l.challenges, havannah.MaxSide),
		Threads: runtime.NumCPU()},
		figure{"nim begins, p99", share(n.nim, 0.99), "ms"}, figure{"nim begins", float64(len(n.nim)), "games"},
		figure{"mcts begins, p99", share(n.havannah, 0.99), "ms"},
		figure{"mcts begins", float64(len(n.havannah)), "games"},
		figure{"clocked", float64(n.clocked), "games"}, figure{"aborted or out of time", float64(n.ended), "games"},
		figure{"challenges refused", float64(n.refused), "challenges"},
		figure{"memory, peak", float64(memory.Peak(pid)) / (1 << 20), "MiB"})
	return nil
}

// share returns the time in ms that a share of all, at least one, did not exceed. It sorts them.
func share(all []time.Duration, of float64) float64 {
	slices.Sort(all)
	return float64(all[int(of*float64(len(all)-1))].Microseconds()) / 1000
}

// visitor is a client that passes on what it hears.
type visitor struct {
	client.Client
	once  sync.Once
	ready chan struct{}
	heard chan wire.Message
}

func (v *visitor) Welcome(*wire.Welcome)  { v.once.Do(func() { close(v.ready) }) }
func (v *visitor) Message(m wire.Message) { v.heard <- m }
func (v *visitor) Lost(error)             {}

// hear returns the next message.
func (v *visitor) hear(ctx context.Context) (wire.Message, error) {
	select {
	case m := <-v.heard:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// next returns the next message. If it says that it is the visitor's turn, who has the first seat, that plays.
func (v *visitor) next(ctx context.Context) (wire.Message, error) {
	m, err := v.hear(ctx)
	play := &wire.Play{}
	var toMove []int
	var view *wire.View
	switch m := m.(type) {
	case *wire.Game:
		play.Game, play.Turn, toMove, view = m.Game, m.Turn, m.ToMove, m.View
	case *wire.Moved:
		play.Game, play.Turn, toMove, view = m.Game, m.Turn+1, m.ToMove, m.View
	}
	if slices.Contains(toMove, 0) && view != nil {
		play.Move = view.Legal[0]
		_, err = v.Call(ctx, play)
	}
	return m, err
}

// flood has as many games at a time as it can.
func (l botsLoad) flood(ctx context.Context, v *visitor, n *botsCounts) (err error) {
	challenge := &wire.Challenge{Rules: boards.HavannahName,
		Options: boards.HavannahOptions{Side: havannah.MaxSide}.JSON(), Seat: "first", To: "mcts"}
	for i, over := 0, false; err == nil; i++ {
		if i < l.challenges || over {
			_, err = v.Call(ctx, challenge)
			if e := (*wire.Error)(nil); errors.As(err, &e) {
				n.refused++
				err = nil
			}
		}
		if err == nil && i >= l.challenges {
			var m wire.Message
			m, err = v.next(ctx)
			_, over = m.(*wire.Over)
		}
	}
	return err
}

// beginGames begins games in which the bot has the first move, and resigns after it.
func beginGames(ctx context.Context, v *visitor, n *botsCounts) error {
	for i := 0; ; i++ {
		challenge, took := wire.Challenge{Rules: boards.NimName, To: "minimax", Seat: "second"}, &n.nim
		if i%10 == 0 {
			challenge, took = wire.Challenge{Rules: boards.HavannahName, To: "mcts", Seat: "second"}, &n.havannah
		}
		start := time.Now()
		begun, err := v.Call(ctx, &challenge)
		if err != nil {
			return err
		}
		id := begun.(*wire.Ack).Game
		for moved := false; !moved; {
			m, err := v.hear(ctx)
			if err != nil {
				return err
			}
			first, ok := m.(*wire.Moved)
			moved = ok && first.Game == id
		}
		*took = append(*took, time.Since(start))
		if _, err := v.Call(ctx, &wire.Resign{Game: id}); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// playClocked plays games with clocks, one after the other.
func playClocked(ctx context.Context, v *visitor, n *botsCounts) error {
	challenge := &wire.Challenge{
		Rules: boards.HavannahName, Options: boards.HavannahOptions{Side: 4}.JSON(), Seat: "first", To: "mcts",
		Clock: wire.Clock{Main: 60_000},
	}
	for {
		if _, err := v.Call(ctx, challenge); err != nil {
			return err
		}
		for over := false; !over; {
			m, err := v.next(ctx)
			if err != nil {
				return err
			}
			if m, ok := m.(*wire.Over); ok {
				over = true
				n.clocked++
				if m.Result.How == wire.Aborted || m.Result.How == wire.TimeOut {
					n.ended++
				}
			}
		}
	}
}
