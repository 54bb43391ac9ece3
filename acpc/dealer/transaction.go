package dealer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
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
