package dealer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/acpc"
)

// transaction is one line of the transaction file: an action, its hand, and the times of
// the request and the answer, such as "r200 7 1795197839.055746 1795197839.055800".
type transaction struct {
	action          acpc.Action
	hand            uint32
	asked, received time.Time
}

func (a *transaction) append(dst []byte) []byte {
	dst = append(a.action.Append(dst), ' ')
	dst = append(strconv.AppendUint(dst, uint64(a.hand), 10), ' ')
	dst = append(appendStamp(dst, a.asked), ' ')
	return append(appendStamp(dst, a.received), '\n')
}

// The errors of a transaction that cannot be parsed.
var (
	errTransactionAction = errors.New("could not parse transaction action")
	errTransactionStamp  = errors.New("could not parse transaction stamp")
)

// parseTransaction reads a line. An unknown action becomes an illegal one, which fails
// later.
func parseTransaction(g *acpc.Game, line string) (transaction, error) {
	action, n, err := g.ParseAction(line)
	switch {
	case errors.Is(err, acpc.ErrNoRaiseSize):
		return transaction{}, errTransactionAction
	case err != nil:
		action.Type, n = math.MaxUint8, min(1, len(line))
	}
	fields := strings.Fields(line[n:])
	if len(fields) < 3 {
		return transaction{}, errTransactionStamp
	}
	hand, err := strconv.ParseUint(fields[0], 10, 32)
	asked, askedErr := parseStamp(fields[1])
	received, receivedErr := parseStamp(fields[2])
	if err != nil || askedErr != nil || receivedErr != nil {
		return transaction{}, errTransactionStamp
	}
	return transaction{action, uint32(hand), asked, received}, nil
}

// parseStamp reads a time that appendStamp wrote.
func parseStamp(text string) (time.Time, error) {
	seconds, fraction, _ := strings.Cut(text, ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	micros, err := strconv.ParseUint(fraction, 10, 32)
	return time.Unix(s, int64(micros)*1000), err
}

// replay plays the transactions of an interrupted match, which may include its last hand,
// and charges the seats for their time.
func (t *wire) replay(c *matchProgress, past io.Reader) error {
	lines := bufio.NewReaderSize(past, acpc.MaxLine)
	for {
		line, err := acpc.ReadLine(lines)
		if line == "" && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read transactions: %w", err)
		}
		if err := t.redo(c, line); err != nil {
			return err
		}
	}
}

// redo plays one transaction again.
func (t *wire) redo(c *matchProgress, line string) error {
	s := &c.hand
	a, err := parseTransaction(s.Game(), line)
	switch text := strings.TrimSpace(line); {
	case err != nil:
		return fmt.Errorf("%w %s", err, text)
	case a.hand != s.HandID:
		return fmt.Errorf("handId mismatch in transaction log: %s", text)
	case s.Check(a.action) != nil:
		return fmt.Errorf("invalid action in transaction log: %s", text)
	}
	i := t.match.Seat(s.HandID, s.Actor())
	if !t.seats[i].charge(a.asked, a.received, &t.match.Limits, t.budget) {
		return t.fail(i, s.HandID, ErrOutOfTime, "seat %d ran out of time in transaction file\n", i+1)
	}
	s.Apply(a.action)
	if !s.Finished() {
		return nil
	}
	t.newHand()
	if s.HandID >= t.record.LogFrom {
		if err := t.logHand(s); err != nil {
			return err
		}
	}
	c.next()
	return nil
}

// parseReply returns the legal action of a player's line, or false if the line does not
// answer the current state.
func (t *wire) parseReply(s *acpc.State, p *seat, line string) (acpc.Action, bool) {
	state := p.message[:len(p.message)-len("\r\n")]
	if text, ok := strings.CutPrefix(line, string(state)); ok && strings.HasPrefix(text, ":") && isEchoed(s.Game()) {
		return t.action(s, text), true // the usual answer, not parsed
	}
	var n int
	var err error
	if t.reply, n, err = t.match.Game.ParseMatchState(line); err != nil {
		t.stderr.printf("WARNING: bad state format in response\n")
		return acpc.Action{}, false
	}
	if !answers(&t.reply, s) {
		t.stderr.printf("WARNING: ignoring un-requested response\n")
		return acpc.Action{}, false
	}
	return t.action(s, line[n:]), true
}

// isEchoed reports whether a match state of the game is parsed as itself. With board cards
// in the first round it is not: they look like hole cards.
func isEchoed(g *acpc.Game) bool { return g.NumBoardCards[0] == 0 }

// answers reports whether a reply has the current state of the hand; the cards of other
// players are not compared.
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

// action returns the legal action of the text after a reply's state. An invalid one is
// corrected with a warning, as in the original: a no-limit raise of an illegal size becomes
// the nearest legal one, and anything else a call.
func (t *wire) action(s *acpc.State, text string) acpc.Action {
	call := acpc.Action{Type: acpc.Call}
	if text == "" || text[0] != ':' {
		t.stderr.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	asked, _, err := s.Game().ParseAction(text[1:])
	if errors.Is(err, acpc.ErrNoRaiseSize) {
		t.stderr.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	if err == nil && asked.Type == acpc.Raise && s.RaiseForbiddenByLength() {
		t.stderr.printf("WARNING: #actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold\n")
	}
	legal, ok := s.Fix(asked)
	switch {
	case err != nil || !ok:
		t.stderr.printf("WARNING: invalid action, changed to call\n")
		return call
	case asked.Size < legal.Size:
		t.stderr.printf("WARNING: raise of %d increased to %d\n", asked.Size, legal.Size)
	case asked.Size > legal.Size:
		t.stderr.printf("WARNING: raise of %d decreased to %d\n", asked.Size, legal.Size)
	}
	return legal
}

// isComment reports whether a line is a comment, which is ignored.
func isComment(line []byte) bool { return len(line) > 0 && (line[0] == '#' || line[0] == ';') }
