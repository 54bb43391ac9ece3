package dealer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"gamebots/acpc"
)

// Serve plays the match over one connection for each seat, by the original's protocol, and
// returns the chips that each seat has won; after an error they are those of the hands
// before it. Serve closes the connections, which tells the players that the match is over.
// The end of ctx ends the match with its cause, the failure of a seat with a SeatError.
func (m *Match) Serve(ctx context.Context, conns []net.Conn, record Record) (score []float64, err error) {
	defer closeAll(conns)
	return m.serve(ctx, len(conns), record, func() ([]net.Conn, error) { return conns, nil })
}

// Host is Serve for players who have yet to connect: it starts the record and waits for
// them in the lobby, for up to Limits.Start.
func (m *Match) Host(ctx context.Context, lobby *Lobby, record Record) (score []float64, err error) {
	defer lobby.Close()
	return m.serve(ctx, len(lobby.listeners), record, func() ([]net.Conn, error) {
		return lobby.Accept(ctx, m.Limits.Start)
	})
}

func (m *Match) serve(ctx context.Context, players int, record Record,
	join func() ([]net.Conn, error)) (score []float64, err error) {
	t := &wire{match: m, record: record, stderr: stderrLog{w: record.Messages, quiet: record.Quiet}}
	defer func() {
		if err != nil {
			t.stderr.printf("%s", originalText(err))
		}
		t.stderr.flush()
	}()
	if err := m.check(players); err != nil {
		return nil, err
	}
	t.budget = m.Limits.budget(m.Hands)
	if err := t.start(); err != nil {
		return nil, causeOf(ctx, err)
	}
	conns, err := join()
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	defer closeAll(conns)
	defer context.AfterFunc(ctx, func() { closeAll(conns) })()
	for _, conn := range conns {
		t.seats = append(t.seats, newSeat(conn))
	}
	score, err = t.play()
	// The cause is read before the connections are closed, as players that fail
	// because of that may end ctx.
	return score, causeOf(ctx, err)
}

// causeOf returns the cause of ctx if it has ended, as err may follow from that.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// wire is the table of a match over connections.
type wire struct {
	match  *Match
	record Record
	stderr stderrLog
	seats  []*seat
	budget time.Duration // each seat's time for the match
	// lastAsked is the time of the last request, or of the start of the match.
	lastAsked time.Time
	buf       []byte
	view      acpc.MatchState // reused, so that messages do not allocate
	reply     acpc.MatchState
}

// play plays the match from the players' versions to its score.
func (t *wire) play() (score []float64, err error) {
	for i, p := range t.seats {
		if err := t.greet(i, p); err != nil {
			return nil, err
		}
	}
	t.lastAsked = time.Now()
	t.stderr.at("STARTED", t.lastAsked)
	c := t.match.newProgress()
	if t.record.Past != nil {
		if err := t.replay(c, t.record.Past); err != nil {
			return c.score, err
		}
	}
	if err := c.play(t); err != nil {
		return c.score, err
	}
	return c.score, t.finish(c.score)
}

// greetTimeout is the time for a connected player to send its version; some load their
// strategy first. The original waits forever.
const greetTimeout = 10 * time.Minute

// greet reads the version line of a seat. As in the original, an invalid line ends the
// match, and another version does not.
func (t *wire) greet(i int, p *seat) error {
	line, err := p.readLine(greetTimeout)
	if err != nil {
		return t.fail(i, 0, fmt.Errorf("read version: %w", readError(err, greetTimeout)),
			"could not read version string from seat %d\n", i+1)
	}
	var major, minor, revision uint32
	if _, err := fmt.Sscanf(string(line), "VERSION:%d.%d.%d", &major, &minor, &revision); err != nil {
		return t.fail(i, 0, fmt.Errorf("invalid version string %q", line), "invalid version string %s", line)
	}
	if major != 2 || minor > 0 {
		t.stderr.printf("ERROR: this server is currently using version 2.0.0\n")
	}
	return nil
}

func (t *wire) act(s *acpc.State) (acpc.Action, error) {
	if err := t.sendState(s); err != nil {
		return acpc.Action{}, err
	}
	i := t.match.Seat(s.HandID, s.Actor())
	p := t.seats[i]
	asked := p.asked
	t.lastAsked = asked
	limits := &t.match.Limits
	for {
		t.stderr.flush()
		line, err := p.readLine(limits.Response)
		if err != nil {
			return acpc.Action{}, t.fail(i, s.HandID, readError(err, limits.Response),
				"could not get action from seat %d\n%.1f seconds spent waiting; timeout %.1f\n",
				i+1, time.Since(p.waiting).Seconds(), limits.Response.Seconds())
		}
		received := asked.Add(time.Since(asked)) // the monotonic clock goes on steadily
		t.stderr.message("FROM", i, received, line)
		if isComment(line) {
			// A comment does not use time; but when the time of the hand is over, no
			// answer can be in time.
			if received.Sub(asked) <= limits.Hand {
				continue
			}
		}
		if !p.charge(asked, received, limits, t.budget) {
			return acpc.Action{}, t.fail(i, s.HandID, ErrOutOfTime, "seat %d ran out of time\n", i+1)
		}
		if action, ok := t.parseReply(s, p, string(line)); ok {
			return action, t.logTransaction(s, action, asked, received)
		}
	}
}

func (t *wire) end(s *acpc.State) error {
	if err := t.logHand(s); err != nil {
		return err
	}
	if err := t.sendState(s); err != nil {
		return err
	}
	t.stderr.seconds(s.HandID, t.seats)
	t.newHand()
	return nil
}

// newHand resets the seats' time in the hand.
func (t *wire) newHand() {
	for _, p := range t.seats {
		p.inHand = 0
	}
}

// sendState sends every seat its view of the hand, first the seat to act, so that it may
// think while the others are sent theirs.
func (t *wire) sendState(s *acpc.State) error {
	for i, p := range t.seats {
		t.view = s.View(t.match.Position(s.HandID, i))
		p.message = append(t.view.Append(p.message[:0]), "\r\n"...)
	}
	first := 0
	if !s.Finished() {
		first = t.match.Seat(s.HandID, s.Actor())
	}
	for k := range t.seats {
		i := (first + k) % len(t.seats)
		if err := t.seats[i].send(); err != nil {
			return t.fail(i, s.HandID, fmt.Errorf("send state: %w", err), "could not send state to seat %d\n", i+1)
		}
	}
	for i, p := range t.seats {
		t.stderr.message("TO", i, p.asked, p.message)
	}
	return nil
}

// fail returns a seat's error with the original's message.
func (t *wire) fail(seat int, hand uint32, err error, format string, args ...any) error {
	return withOriginalText(t.match.seatError(seat, hand, err), format, args...)
}

// readError returns the error of the match for a failed read.
func readError(err error, limit time.Duration) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w: no line within %v", ErrOutOfTime, limit)
	}
	return fmt.Errorf("connection lost: %w", err)
}
