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
	A stats.Sample
	// Time is what the playing took, the bots' start included and their end not.
	Time time.Duration
}

// Play plays the duel over loopback. A bot that fails ends it with an error
// that has the last lines the bot wrote. One that stays when its match is over
// is made to end, with all that it has started; the outcome counts.
func (d *Duel) Play(ctx context.Context) (Outcome, error) {
	var o Outcome
	var won []float64
	for seat := range 2 {
		bots := []Bot{d.A, d.B}
		if seat == 1 {
			bots[0], bots[1] = bots[1], bots[0]
		}
		m := &dealer.Match{
			Name: d.A.Name + "-" + d.B.Name, Game: d.Game, GameFile: d.Game.Name, Hands: d.Hands, Seed: d.Seed,
			Names: []string{bots[0].Name, bots[1].Name}, Limits: dealer.DefaultLimits,
		}
		results := Results(d.Game, d.Log, func(s *acpc.State, values []float64) {
			if int(s.HandID) == len(won) { // they come one after another, twice
				won = append(won, 0)
			}
			won[s.HandID] += values[m.Position(s.HandID, seat)] / 2
		})
		took, err := Host(ctx, m, bots, results)
		if err != nil {
			return Outcome{}, fmt.Errorf("%s against %s: %w", d.A.Name, d.B.Name, err)
		}
		o.Time += took
	}
	for _, x := range won {
		o.A.Add(x)
	}
	return o, nil
}

// Host plays one match over loopback, a bot a seat, and returns how long that
// took. Log, if not nil, gets the dealer's log, a line a write. When it returns the
// bots have ended.
func Host(ctx context.Context, m *dealer.Match, bots []Bot, log io.Writer) (time.Duration, error) {
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

	// What a player in process ends with is heard only where the dealer blames its
	// seat: of a match that ends by another's fault it knows no more than that.
	ends := make([]chan error, len(bots))
	for i, addr := range lobby.Addrs() {
		ends[i] = make(chan error, 1)
		switch bot := bots[i]; {
		case bot.Player != nil:
			running.Go(func() {
				conn, err := client.Dial(ctx, addr, 0)
				if err != nil {
					cancel(fmt.Errorf("bot %s: %w", bot.Name, err))
					return
				}
				if err := (&client.Client{Game: m.Game, Player: bot.Player}).Play(ctx, conn); err != nil {
					ends[i] <- fmt.Errorf("bot %s: %w", bot.Name, err)
				}
			})
			continue
		case bot.Door != nil:
			running.Go(func() {
				if err := bot.Door.lead(ctx, bot.Name, addr); err != nil {
					cancel(err)
				}
			})
			continue
		}
		p, err := start(bots[i], addr)
		if err != nil {
			return 0, err
		}
		running.Go(func() {
			if err := p.wait(ctx); err != nil {
				cancel(err)
			}
		})
	}
	_, err = m.Host(ctx, lobby, dealer.Record{Log: log})
	took := time.Since(began)
	if err == nil {
		return took, nil
	}
	// A bot's own end says more than the connection that it took along; the
	// process may be a moment behind. What is no bot's fault, such as a full disk,
	// ends them all, and what they say of it is nothing new.
	var end chan error
	seat, absent := (*dealer.SeatError)(nil), (*dealer.AbsentError)(nil)
	switch {
	case errors.As(err, &seat):
		end = ends[seat.Seat]
	case errors.As(err, &absent):
		err = fmt.Errorf("bot %s: %w", bots[absent.Seat].Name, err)
	default:
		return took, err
	}
	select {
	case <-ctx.Done():
		err = context.Cause(ctx)
	case err = <-end:
	case <-time.After(time.Second):
	}
	return took, err
}

// Results returns a dealer's log that calls back with every finished hand, and
// passes on what it is written to a log that may be nil.
func Results(g *acpc.Game, log io.Writer, hand func(s *acpc.State, values []float64)) io.Writer {
	return &resultReader{game: g, log: log, hand: hand}
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
