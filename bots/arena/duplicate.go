package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/internal/stats"
)

// DuplicateMatch is a match of two bots over TCP in which each of Hands deals is
// played twice, with the seats exchanged.
type DuplicateMatch struct {
	Game  *acpc.Game // two players
	Hands uint32
	Seed  uint32
	A, B  Bot
	// Log, if not nil, receives the dealer's log of both matches.
	Log io.Writer
}

// Outcome is the result of a DuplicateMatch.
type Outcome struct {
	// A has the winnings of bot A in chips a hand. An observation is a deal: the
	// mean of its two hands.
	A stats.Sample
	// Deals has A's winnings of each deal, in chips a hand.
	Deals []float64
	// Time is the playing time, with the start of the bots and without their end.
	Time time.Duration
}

// Play plays the match over loopback. A bot that fails ends it with an error, which
// quotes the last lines that the bot wrote. A bot that does not end after its match
// is killed, with all that it has started; the outcome counts.
func (d *DuplicateMatch) Play(ctx context.Context) (Outcome, error) {
	var o Outcome
	for seat := range 2 {
		bots := []Bot{d.A, d.B}
		if seat == 1 {
			bots[0], bots[1] = bots[1], bots[0]
		}
		m := &dealer.Match{
			Name: d.A.Name + "-" + d.B.Name, Game: d.Game, GameFile: d.Game.Name, Hands: d.Hands, Seed: d.Seed,
			Names: []string{bots[0].Name, bots[1].Name}, Limits: dealer.DefaultLimits,
		}
		results := ResultLog(d.Game, d.Log, func(s *acpc.State, values []float64) {
			if int(s.HandID) == len(o.Deals) { // hands come in order, twice
				o.Deals = append(o.Deals, 0)
			}
			o.Deals[s.HandID] += values[m.Position(s.HandID, seat)] / 2
		})
		took, err := Host(ctx, m, bots, dealer.Record{Log: results})
		if err != nil {
			return Outcome{}, fmt.Errorf("%s against %s: %w", d.A.Name, d.B.Name, err)
		}
		o.Time += took
	}
	for _, x := range o.Deals {
		o.A.Add(x)
	}
	return o, nil
}

// Host plays one match over loopback, with a bot for each seat, and returns the
// playing time. The dealer writes its record. All bots have ended when Host returns.
func Host(ctx context.Context, m *dealer.Match, bots []Bot, record dealer.Record) (time.Duration, error) {
	began := time.Now()
	lobby, err := dealer.Listen("127.0.0.1", make([]uint16, len(bots))...)
	if err != nil {
		return 0, err
	}
	defer lobby.Close()
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// The error of a player in process counts only if the dealer blames its seat:
	// when the match ends by another's fault, the player only loses its connection.
	playerErrors := make([]chan error, len(bots))
	for i, addr := range lobby.Addrs() {
		playerErrors[i] = make(chan error, 1)
		switch bot := bots[i]; {
		case bot.Player != nil:
			running.Go(func() {
				conn, err := client.Dial(ctx, addr, 0)
				if err != nil {
					cancel(fmt.Errorf("bot %s: %w", bot.Name, err))
					return
				}
				if err := (&client.Client{Game: m.Game, Player: bot.Player}).Play(ctx, conn); err != nil {
					playerErrors[i] <- fmt.Errorf("bot %s: %w", bot.Name, err)
				}
			})
		default:
			p, err := startAtSeat(bot, addr)
			if err != nil {
				return 0, err
			}
			running.Go(func() {
				if err := p.Wait(ctx); err != nil {
					cancel(err)
				}
			})
		}
	}
	_, err = m.Host(ctx, lobby, record)
	took := time.Since(began)
	if err == nil {
		return took, nil
	}
	return took, blame(ctx, err, bots, playerErrors)
}

// blame returns the error of the bot that the dealer's error is about, if there is
// one: it says more than the lost connection. The bot's process may end a moment
// later than its connection. Errors that are no bot's fault, such as a full disk,
// end all bots and are returned as they are.
func blame(ctx context.Context, err error, bots []Bot, playerErrors []chan error) error {
	var own chan error
	seat, absent := (*dealer.SeatError)(nil), (*dealer.AbsentError)(nil)
	switch {
	case errors.As(err, &seat):
		own = playerErrors[seat.Seat]
	case errors.As(err, &absent):
		err = fmt.Errorf("bot %s: %w", bots[absent.Seat].Name, err)
	default:
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case err = <-own:
	case <-time.After(time.Second):
	}
	return err
}

// ResultLog returns a writer for a dealer's log. It calls onHand with every finished
// hand, whose values are chips by position, and forwards the lines to log unless
// that is nil.
func ResultLog(g *acpc.Game, log io.Writer, onHand func(s *acpc.State, values []float64)) io.Writer {
	return writerFunc(func(line []byte) (int, error) {
		if bytes.HasPrefix(line, []byte("STATE:")) {
			s, values, _, err := g.ParseResult(strings.TrimSpace(string(line)))
			if err != nil {
				return 0, err
			}
			onHand(&s, values)
		}
		if log == nil {
			return len(line), nil
		}
		return log.Write(line)
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
