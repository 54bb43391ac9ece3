package submission

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/bots/proc"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
)

// match is a match of the folder's bot against random players.
type match struct {
	check  *Check
	dir    string
	number int
	hands  uint32
	all    *tallies
	total  uint32 // hands of all matches

	watch proc.Watch
}

// play plays the match. The bot takes the seats in turn, one for each match.
func (m *match) play(ctx context.Context) error {
	m.all.said = ""
	g := m.check.Game
	seat := m.number % g.NumPlayers
	names := make([]string, g.NumPlayers)
	for i := range names {
		names[i] = fmt.Sprintf("random%d", i+1)
	}
	names[seat] = "bot"
	d := &dealer.Match{Name: "check", GameFile: g.Name, Game: g, Hands: m.hands, Seed: uint32(m.number), Names: names,
		Limits: limits}

	lobby, err := dealer.Listen("127.0.0.1", make([]uint16, g.NumPlayers)...)
	if err != nil {
		return err
	}
	defer lobby.Close()
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	for i, addr := range lobby.Addrs() {
		if i == seat {
			continue
		}
		player, err := poker.NewOpponent("random", uint64(m.number*acpc.MaxPlayers+i))
		if err != nil {
			return err
		}
		others.Go(func() {
			// The dealer reports a player that fails.
			if conn, err := client.Dial(ctx, addr, 0); err == nil {
				_ = (&client.Client{Game: g, Player: player}).Play(ctx, conn)
			}
		})
	}
	elsewhere, err := os.MkdirTemp("", "package-check-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(elsewhere)
	host, port, err := net.SplitHostPort(lobby.Addrs()[seat])
	if err != nil {
		return err
	}
	b, err := startBot(elsewhere, elsewhere, filepath.Join(m.dir, startMe), host, port)
	if err != nil {
		return err
	}
	m.watch.Number = seat
	err = m.serve(ctx, d, lobby, b)
	over := time.Now()
	if !b.wait(ctx, linger) {
		m.all.left++
	}
	m.all.end, m.all.said = max(m.all.end, time.Since(over)), b.LastErrors(1)
	m.all.decisions = append(m.all.decisions, m.watch.Decisions...)
	m.all.hand = max(m.all.hand, m.watch.Hand)
	m.all.warnings = append(m.all.warnings, m.watch.Warnings...)
	return err
}

// serve waits for the players and runs the dealer until the match is over.
func (m *match) serve(ctx context.Context, d *dealer.Match, lobby *dealer.Lobby, b *bot) error {
	// The lobby would wait for a bot that ends before it connects.
	joining, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := b.onEnd(func() { cancel(fmt.Errorf("startme.sh ended before the match: %w", b.failure())) })
	conns, err := lobby.Accept(joining, limits.Start)
	stop()
	m.all.start = max(m.all.start, time.Since(b.began))
	if err != nil {
		return err
	}
	results := writerFunc(func(line []byte) error {
		switch {
		case bytes.HasPrefix(line, []byte("STATE:")):
			return m.hand(d, string(bytes.TrimSpace(line)))
		case bytes.HasPrefix(line, []byte("SCORE:")):
			m.all.peak = max(m.all.peak, memory.Peak(b.Pid))
		}
		return nil
	})
	_, err = d.Serve(ctx, conns, dealer.Record{Log: results, Messages: &m.watch})
	return err
}

// hand counts a finished hand, a STATE line of the dealer's log.
func (m *match) hand(d *dealer.Match, line string) error {
	s, values, _, err := d.Game.ParseResult(line)
	if err != nil {
		return err
	}
	m.all.hands++
	if blind := d.Game.MaxBlind(); blind > 0 {
		m.all.won.Add(1000 * values[d.Position(s.HandID, m.watch.Number)] / float64(blind))
	}
	if m.check.OnHand != nil {
		m.check.OnHand(m.all.hands, m.total)
	}
	return nil
}

type writerFunc func([]byte) error

func (f writerFunc) Write(text []byte) (int, error) { return len(text), f(text) }

// bot is a running bot.
type bot struct {
	*proc.Group
	began time.Time
}

// startBot starts a bot as a competition does, in a folder and with a minimal environment.
func startBot(dir, home, command string, args ...string) (*bot, error) {
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "LC_ALL=C"}
	cmd.WaitDelay = linger // for children that keep stderr open
	began := time.Now()
	group, err := proc.StartGroup(cmd)
	if err != nil {
		return nil, err
	}
	return &bot{group, began}, nil
}

// onEnd calls f when the bot ends, unless stop is called before.
func (b *bot) onEnd(f func()) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		if parallel.Wait(ctx, b.Ended()) == nil {
			f()
		}
	}()
	return stop
}

func (b *bot) failure() error {
	return cmp.Or(b.Err(), errors.New("with status 0"))
}

// wait waits until the bot and every process that it started have ended. When patience or ctx
// is over it kills those that are left. It reports whether all ended by themselves.
func (b *bot) wait(ctx context.Context, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer b.Kill()
	if parallel.Wait(ctx, b.Ended()) != nil {
		b.Kill()
		<-b.Ended()
		return false
	}
	for b.Alive() {
		if parallel.Wait(ctx, time.After(20*time.Millisecond)) != nil {
			return false
		}
	}
	return true
}
