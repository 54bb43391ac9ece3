package dealer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"gamebots/acpc"
)

// Output is where a served match is recorded; nil writers take nothing.
type Output struct {
	// Log gets the header, a line a hand as soon as the hand is over, and the
	// score if the match is played to its end, one write each.
	Log io.Writer
	// Errors gets the original server's warnings of what players did and why
	// it ended the match, in its words.
	Errors io.Writer
}

// Serve plays the match over one connection a seat, as it is specified for
// the original server, and returns the chips that each seat has won; with an
// error those of the hands before it. Connections are closed at the end, which
// tells the players that the match is over. An end of ctx ends the match with
// its cause, a seat's failure with a SeatError.
func (m *Match) Serve(ctx context.Context, conns []net.Conn, out Output) (score []float64, err error) {
	defer closeAll(conns)
	if err := m.check(len(conns)); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { closeAll(conns) })()

	t := &wire{match: m, ctx: ctx, out: out}
	for _, conn := range conns {
		t.seats = append(t.seats, newSeat(conn))
	}
	score, err = t.serve()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return score, err
}

// wire is the table of a match over connections.
type wire struct {
	match *Match
	ctx   context.Context
	out   Output
	seats []*seat
	buf   []byte
	view  acpc.MatchState // kept here, so that no message allocates one
	reply acpc.MatchState
}

func (t *wire) serve() ([]float64, error) {
	if err := t.log(t.match.AppendHeader(t.buf[:0])); err != nil {
		return nil, err
	}
	if err := t.readVersions(); err != nil {
		return nil, err
	}
	score, err := t.match.play(t)
	if err != nil {
		return score, err
	}
	return score, t.log(t.match.AppendScore(t.buf[:0], score))
}

// readVersions reads every seat's first line. As in the original, a version
// that is none ends the match and another version is played with.
func (t *wire) readVersions() error {
	var deadline time.Time
	if t.match.Limits.Start != 0 {
		deadline = time.Now().Add(t.match.Limits.Start)
	}
	for i, p := range t.seats {
		line, err := p.readLine(deadline)
		if err != nil {
			return t.fail(i, 0, fmt.Errorf("read version: %w", readError(err, t.match.Limits.Start)),
				"could not read version from seat %d", i+1)
		}
		var major, minor, revision uint32
		if _, err := fmt.Sscanf(string(line), "VERSION:%d.%d.%d", &major, &minor, &revision); err != nil {
			return t.fail(i, 0, fmt.Errorf("invalid version string %q", line),
				"invalid version string %s", trimNewline(line))
		}
		if major != 2 || minor > 0 {
			t.printf("ERROR: this server is currently using version 2.0.0\n")
		}
	}
	return nil
}

func (t *wire) act(s *acpc.State) (acpc.Action, error) {
	if err := t.tell(s); err != nil {
		return acpc.Action{}, err
	}
	i := t.match.Seat(s.HandID, s.Actor())
	p := t.seats[i]
	limits := &t.match.Limits
	for {
		p.reading = time.Now()
		line, err := p.readLine(p.reading.Add(limits.Response))
		if err != nil {
			return acpc.Action{}, t.fail(i, s.HandID, readError(err, limits.Response),
				"could not get action from seat %d\n%.1f seconds spent waiting; timeout %.1f",
				i+1, time.Since(p.reading).Seconds(), limits.Response.Seconds())
		}
		if isComment(line) {
			continue // a comment takes no time
		}
		if !p.charge(limits, t.match.Hands) {
			return acpc.Action{}, t.fail(i, s.HandID, ErrOutOfTime, "seat %d ran out of time", i+1)
		}
		if action, ok := t.parseReply(s, string(line)); ok {
			return action, nil
		}
	}
}

func (t *wire) end(s *acpc.State) error {
	if err := t.tell(s); err != nil {
		return err
	}
	for _, p := range t.seats {
		p.inHand = 0
	}
	return t.log(t.match.AppendHand(t.buf[:0], s))
}

// tell sends every seat its view of the hand, in seat order.
func (t *wire) tell(s *acpc.State) error {
	for i, p := range t.seats {
		t.view = s.View(t.match.Position(s.HandID, i))
		t.buf = append(t.view.Append(t.buf[:0]), "\r\n"...)
		if err := p.send(t.buf); err != nil {
			return t.fail(i, s.HandID, fmt.Errorf("send state: %w", err),
				"could not send state to seat %d", i+1)
		}
	}
	return nil
}

// parseReply returns the legal action that a line comes to, or false for a
// line that answers nothing.
func (t *wire) parseReply(s *acpc.State, line string) (acpc.Action, bool) {
	var n int
	var err error
	if t.reply, n, err = t.match.Game.ParseMatchState(line); err != nil {
		t.printf("WARNING: bad state format in response\n")
		return acpc.Action{}, false
	}
	if !answers(&t.reply, s) {
		t.printf("WARNING: ignoring un-requested response\n")
		return acpc.Action{}, false
	}
	return t.action(s, line[n:]), true
}

// answers says whether a player's idea of the hand is that of the moment; the
// cards of others are not looked at.
func answers(reply *acpc.MatchState, s *acpc.State) bool {
	p, g := s.Actor(), s.Game()
	if reply.Viewer != p || reply.HandID != s.HandID || reply.Round() != s.Round() {
		return false
	}
	for round := range s.Round() + 1 {
		if !slices.Equal(reply.Actions(round), s.Actions(round)) {
			return false
		}
	}
	board := g.BoardCards(s.Round())
	return slices.Equal(reply.Board[:board], s.Board[:board]) &&
		slices.Equal(reply.Holes[p][:g.NumHoleCards], s.Holes[p][:g.NumHoleCards])
}

// fail writes the original's error and returns ours, unless it is the context
// that ended the match.
func (t *wire) fail(seat int, hand uint32, err error, format string, args ...any) error {
	if t.ctx.Err() == nil {
		t.printf("ERROR: "+format+"\n", args...)
	}
	return t.match.seatError(seat, hand, err)
}

func (t *wire) printf(format string, args ...any) {
	if t.out.Errors != nil {
		fmt.Fprintf(t.out.Errors, format, args...)
	}
}

// log writes to the log and keeps the text's buffer for the next one.
func (t *wire) log(text []byte) error {
	t.buf = text
	if t.out.Log == nil {
		return nil
	}
	if _, err := t.out.Log.Write(text); err != nil {
		return fmt.Errorf("write log: %w", err)
	}
	return nil
}

// readError says what a failed read means for the match.
func readError(err error, limit time.Duration) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w: no line within %v", ErrOutOfTime, limit)
	}
	return fmt.Errorf("connection lost: %w", err)
}
