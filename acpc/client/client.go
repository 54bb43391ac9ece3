package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"gamebots/acpc"
)

// Version is the first line that a client sends.
const Version = "VERSION:2.0.0\r\n"

var (
	// ErrNoHands is the error of a dealer that closed the connection before the first
	// hand. A dealer that resumes a finished match does so too.
	ErrNoHands = errors.New("dealer closed before the first hand")
	// ErrLineTooLong is the error of a line longer than the protocol allows.
	ErrLineTooLong = fmt.Errorf("line of more than %d bytes", acpc.MaxLine)
)

// LineError is the error of a line that is not a match state of the game.
type LineError struct {
	Line string
	Game string // the game's name
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %q: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Hint returns the usual reason.
func (e *LineError) Hint() string {
	if !strings.HasPrefix(e.Line, "MATCHSTATE:") {
		return "is this the port of a poker dealer?"
	}
	return fmt.Sprintf("is the dealer playing %s?", e.Game)
}

// Client plays matches for one player. Play does not change it, so it may play several
// matches at a time if its Player and callbacks are safe for that.
type Client struct {
	Game   *acpc.Game
	Player acpc.Player
	// OnResult, if not nil, is called after every hand with the chips that the
	// client's position has won or, if negative, lost.
	OnResult func(hand uint32, position int, value float64)

	// Decision limits the time of a decision; 0 is no limit. A late decision is
	// replaced by a check, or by a fold if there is a bet to call: that loses one hand,
	// where the dealer's own limit would lose the match.
	Decision time.Duration
	// OnLate, if not nil, is called with the action that replaced a late decision.
	OnLate func(hand uint32, played acpc.Action)

	// OnRecorded, if not nil, is called with every action that was sent and the one that the dealer
	// recorded for it, which should be the same. A dealer replaces illegal actions.
	OnRecorded func(hand uint32, sent, recorded acpc.Action)
	// OnFault, if not nil, is called with the first fault of a hand: cards or betting that changed,
	// a card that is dealt twice, or hands that were left out or not finished. The match goes on.
	OnFault func(hand uint32, fault error)
	// OnNoHand, if not nil, is called once, in a goroutine of its own, if no hand has begun after
	// NoHandYet.
	OnNoHand func()

	// Idle limits the dealer's silence; 0 is no limit. It must cover the thinking time
	// of all other players between two messages.
	Idle time.Duration
}

// NoHandYet is how long a client waits for the first hand before it says so.
const NoHandYet = 10 * time.Second

// Play sends the version and plays hands until the dealer closes conn; it closes conn
// itself before it returns. The end of ctx ends the match with its cause. A late player
// that ignores its context may still be thinking when Play returns.
func (c *Client) Play(ctx context.Context, conn net.Conn) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()

	m := match{client: c, conn: conn, lines: bufio.NewReaderSize(conn, acpc.MaxLine)}
	err := m.play(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// match is the state of one connection.
type match struct {
	client *Client
	conn   net.Conn
	lines  *bufio.Reader
	out    []byte
	noHand *time.Timer // nil without OnNoHand

	// state is the last state received, if started.
	state   acpc.MatchState
	started bool

	// sent is the last action, if answered, which the dealer has not recorded yet.
	sent     acpc.Action
	answered bool
	faulty   bool // a fault of the hand was reported

	// late receives the answer of a player whose time was over.
	late chan answer
}

func (m *match) play(ctx context.Context) error {
	if err := m.write([]byte(Version)); err != nil {
		return fmt.Errorf("send version: %w", err)
	}
	if m.client.OnNoHand != nil {
		m.noHand = time.AfterFunc(NoHandYet, m.client.OnNoHand)
		defer m.noHand.Stop()
	}
	for {
		line, err := m.readLine()
		switch {
		case err == io.EOF && !m.started:
			return ErrNoHands
		case err == io.EOF && m.state.Finished():
			return nil
		case err == io.EOF:
			return m.errorf("dealer closed in the middle of the hand: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return m.errorf("%w", err)
		}
		if len(line) > 0 && (line[0] == '#' || line[0] == ';') {
			continue
		}
		if err := m.receive(ctx, line); err != nil {
			return err
		}
	}
}

// readLine returns the next line without its end, valid until the next call. It returns
// io.EOF for a close between two lines only.
func (m *match) readLine() ([]byte, error) {
	if err := m.extendDeadline(); err != nil {
		return nil, err
	}
	line, err := m.lines.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, ErrLineTooLong
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("dealer silent for %v: %w", m.client.Idle, err)
	case err == io.EOF && len(line) > 0:
		return nil, fmt.Errorf("dealer closed in the middle of a line: %w", io.ErrUnexpectedEOF)
	case err != nil:
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

// receive handles a state: it reports the result of a finished hand, or answers if it is
// the client's turn.
func (m *match) receive(ctx context.Context, line []byte) error {
	text := playable(m.client.Game, string(line))
	state, _, err := m.client.Game.ParseMatchState(text)
	if err != nil {
		return m.errorf("%w", &LineError{Line: string(line), Game: m.client.Game.Name, Err: err})
	}
	// The parser is as lenient as the original's. A dealer that sends another text of
	// the state is faulty, or hides cards that the result depends on.
	if m.out = state.Append(m.out[:0]); string(m.out) != string(line) {
		return m.errorf("%w", &LineError{
			Line: string(line), Game: m.client.Game.Name, Err: fmt.Errorf("is not the state %q", m.out),
		})
	}
	if m.noHand != nil {
		m.noHand.Stop()
	}
	m.inspect(&state)
	m.state, m.started = state, true

	if state.Finished() {
		if m.client.OnResult != nil {
			m.client.OnResult(state.HandID, state.Viewer, m.state.Value(state.Viewer))
		}
		return nil
	}
	if state.Actor() != state.Viewer {
		return nil
	}
	action, err := m.decide(ctx)
	if err != nil {
		return m.errorf("player: %w", err)
	}
	if err := m.state.Check(action); err != nil {
		return m.errorf("player's action is illegal: %w", err)
	}
	m.out = append(m.out[:0], text...)
	m.out = append(action.Append(append(m.out, ':')), "\r\n"...)
	if err := m.write(m.out); err != nil {
		return m.errorf("send action: %w", err)
	}
	m.sent, m.answered = action, true
	return nil
}

func (m *match) write(line []byte) error {
	if err := m.extendDeadline(); err != nil {
		return err
	}
	_, err := m.conn.Write(line)
	return err
}

func (m *match) extendDeadline() error {
	if m.client.Idle == 0 {
		return nil
	}
	return m.conn.SetDeadline(time.Now().Add(m.client.Idle))
}

// errorf returns an error with the current hand.
func (m *match) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if !m.started {
		return fmt.Errorf("before the first hand: %w", err)
	}
	return fmt.Errorf("hand %d: %w", m.state.HandID, err)
}

// redial is the pause between two attempts to connect.
const redial = 50 * time.Millisecond

// Dial connects to the dealer's port of one seat. It retries for the given time while the
// dealer is not listening yet; 0 tries once. A host that does not exist is an error at once.
func Dial(ctx context.Context, addr string, retry time.Duration) (net.Conn, error) {
	var dialer net.Dialer
	giveUp := time.Now().Add(retry)
	for {
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn, nil
		}
		if time.Until(giveUp) < redial || NoSuchHost(err) {
			return nil, fmt.Errorf("connect to the dealer: %w", err)
		}
		select {
		case <-time.After(redial):
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to the dealer: %w", context.Cause(ctx))
		}
	}
}

// NoSuchHost reports whether an error says that a name is no host's, which waiting does not mend.
func NoSuchHost(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// playable returns a received line in a form that parses as it was meant. Lines differ
// only in games with board cards before the first action: the protocol writes those
// without a separator after the last position's hole cards, and if these are hidden, every
// parser, the dealer's own included, takes the board cards for them. Any cards in place of
// the hidden ones make the line unambiguous, as no player reads the cards of others.
func playable(g *acpc.Game, line string) string {
	board := 2 * int(g.NumBoardCards[0])
	if board == 0 {
		return line
	}
	last := strings.LastIndexByte(line, '|') + 1
	end := len(line)
	if slash := strings.IndexByte(line[last:], '/'); slash >= 0 {
		end = last + slash
	}
	if last == 0 || end-last != board {
		return line
	}
	return line[:last] + strings.Repeat("2c", g.NumHoleCards) + line[last:]
}
