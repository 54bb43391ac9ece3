package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
)

// Bot is a program that plays one seat. It is started with the dealer's host
// and port as its last two arguments.
type Bot struct {
	Name    string
	Command []string
}

// Duel is a duplicate match: Hands deals, each played twice.
type Duel struct {
	Game  *acpc.Game // of two players
	Hands uint32
	Seed  uint32
	A, B  Bot
	// Log, if not nil, gets the dealer's log of both matches.
	Log io.Writer
}

// Outcome is the result of a duel.
type Outcome struct {
	// A is what bot A won, in chips a hand, an observation a deal: the mean of
	// its hands on both sides of the deal.
	A Tally
	// Time is what the playing took, the bots' start included.
	Time time.Duration
}

// Play plays the duel over loopback. A bot that fails ends it with an error
// that has the last lines the bot wrote.
func (d *Duel) Play(ctx context.Context) (Outcome, error) {
	start := time.Now()
	won := make([]float64, d.Hands)
	for seat := range 2 {
		bots := []Bot{d.A, d.B}
		if seat == 1 {
			bots[0], bots[1] = bots[1], bots[0]
		}
		m := &dealer.Match{
			Name: d.A.Name + "-" + d.B.Name, Game: d.Game, GameFile: d.Game.Name, Hands: d.Hands, Seed: d.Seed,
			Names: []string{bots[0].Name, bots[1].Name}, Limits: dealer.DefaultLimits,
		}
		results := &resultReader{game: d.Game, log: d.Log, hand: func(s *acpc.State, values []float64) {
			won[s.HandID] += values[m.Position(s.HandID, seat)] / 2
		}}
		if err := serve(ctx, m, bots, results); err != nil {
			return Outcome{}, fmt.Errorf("%s against %s: %w", d.A.Name, d.B.Name, err)
		}
	}
	var o Outcome
	for _, x := range won {
		o.A.Add(x)
	}
	o.Time = time.Since(start)
	return o, nil
}

// serve plays one match of bot processes.
func serve(ctx context.Context, m *dealer.Match, bots []Bot, log io.Writer) error {
	lobby, err := dealer.Listen("127.0.0.1", make([]uint16, len(bots))...)
	if err != nil {
		return err
	}
	defer lobby.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	var running sync.WaitGroup
	defer running.Wait()
	for i, addr := range lobby.Addrs() {
		p, err := start(ctx, bots[i], addr)
		if err != nil {
			cancel(err)
			return err
		}
		running.Go(func() {
			if err := p.wait(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	conns, err := lobby.Accept(ctx, m.Limits.Start)
	if err == nil {
		_, err = m.Serve(ctx, conns, dealer.Record{Log: log})
	}
	if err != nil {
		// A bot's own end says more than the connection that it took along;
		// the process may be a moment behind.
		select {
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-time.After(time.Second):
		}
		cancel(err)
	}
	return err
}

// process is a running bot.
type process struct {
	bot    Bot
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

// grace is how long a bot may take to end after it was asked to.
const grace = 2 * time.Second

func start(ctx context.Context, bot Bot, addr string) (*process, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	args := append(append([]string(nil), bot.Command[1:]...), host, port)
	p := &process{bot: bot, cmd: exec.CommandContext(ctx, bot.Command[0], args...)}
	p.cmd.Stderr = &p.stderr
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = grace
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bot %s: %w", bot.Name, err)
	}
	return p, nil
}

func (p *process) wait() error {
	err := p.cmd.Wait()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	return fmt.Errorf("bot %s: %w: %s", p.bot.Name, err, strings.Join(lines[max(0, len(lines)-3):], "; "))
}

// resultReader is a dealer's log that reads the results of hands.
type resultReader struct {
	game *acpc.Game
	log  io.Writer
	hand func(s *acpc.State, values []float64)
}

func (r *resultReader) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte("STATE:")) {
		s, values, _, err := r.game.ParseResult(strings.TrimSpace(string(line)))
		if err != nil {
			return 0, err
		}
		r.hand(&s, values)
	}
	if r.log == nil {
		return len(line), nil
	}
	return r.log.Write(line)
}
