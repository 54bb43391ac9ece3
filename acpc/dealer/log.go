package dealer

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"gamebots/acpc"
)

// AppendHeader appends the log's first lines: name, game, hands, seed and limits.
func (m *Match) AppendHeader(dst []byte) []byte {
	return fmt.Appendf(dst, acpc.LogTitle+"%s %s %d %d\n"+
		"#--t_response %d\n#--t_hand %d\n#--t_per_hand %d\n",
		m.Name, m.GameFile, m.Hands, m.Seed,
		m.Limits.Response.Milliseconds(), m.Limits.Hand.Milliseconds(), m.Limits.PerHand.Milliseconds())
}

// AppendHand appends the log's line of a finished hand: all cards, and the values and
// names by position.
func (m *Match) AppendHand(dst []byte, s *acpc.State) []byte {
	var names [acpc.MaxPlayers]string
	n := m.Game.NumPlayers
	for p := range n {
		names[p] = m.Names[m.Seat(s.HandID, p)]
	}
	return append(s.AppendResult(dst, names[:n]), '\n')
}

// AppendScore appends the log's last line: the chips won and the names by seat.
func (m *Match) AppendScore(dst []byte, score []float64) []byte {
	return append(acpc.AppendScore(dst, score, m.Names), '\n')
}

// Record has the writers of a served match's log, each nil if not wanted. Every write is of
// whole lines.
type Record struct {
	// Log gets the header, a line for each hand as soon as it is over, and the score
	// if the match is played to its end.
	Log io.Writer
	// Transactions gets a line for each action before the action is sent to anyone. With
	// them a match can be resumed after its dealer was killed.
	Transactions io.Writer
	// Messages gets the lines that the original server prints on its standard error:
	// the header, every line sent and received unless Quiet, warnings, and the score or
	// the error that ended the match.
	Messages io.Writer
	Quiet    bool

	// Past, if not nil, has the transactions of an interrupted match, which is resumed
	// after them. Of the hands finished in them, those from LogFrom on are logged; the
	// others are in the log already.
	Past    io.Reader
	LogFrom uint32
}

// start writes the header.
func (t *wire) start() error {
	header := t.match.AppendHeader(nil)
	t.stderr.printf("%s", header)
	for _, name := range t.match.Names {
		if strings.ContainsAny(name, ":|\n") {
			t.stderr.printf("WARNING: the name %q has :, | or a line break, which end a name in a log: "+
				"it cannot be read again\n", name)
		}
	}
	t.stderr.flush()
	return t.log(header)
}

// finish writes the score.
func (t *wire) finish(score []float64) error {
	line := t.match.AppendScore(nil, score)
	t.stderr.at("FINISHED", t.lastAsked)
	t.stderr.printf("%s", line)
	return t.log(line)
}

func (t *wire) logHand(s *acpc.State) error {
	t.buf = t.match.AppendHand(t.buf[:0], s)
	return t.log(t.buf)
}

func (t *wire) log(text []byte) error {
	if t.record.Log == nil {
		return nil
	}
	if _, err := t.record.Log.Write(text); err != nil {
		return withOriginalText(fmt.Errorf("write log: %w", err), "logging failed for game %s", text)
	}
	return nil
}

// logTransaction records an action.
func (t *wire) logTransaction(s *acpc.State, a acpc.Action, asked, received time.Time) error {
	if t.record.Transactions == nil {
		return nil
	}
	line := transaction{a, s.HandID, asked, received}
	t.buf = line.append(t.buf[:0])
	if _, err := t.record.Transactions.Write(t.buf); err != nil {
		return withOriginalText(fmt.Errorf("write transactions: %w", err), "could not write to transaction file\n")
	}
	return nil
}

// stderrLog writes the lines that the original server prints on its standard error. They
// are buffered until flush, which is called before every wait for a player, so that an
// action costs one write.
type stderrLog struct {
	w     io.Writer // nil for none
	quiet bool      // without messages, only header, warnings, errors and score
	text  []byte
}

// flush writes the buffered lines. Errors are ignored: the match goes on if no process reads
// them.
func (n *stderrLog) flush() {
	if n.w != nil && len(n.text) > 0 {
		_, _ = n.w.Write(n.text)
	}
	n.text = n.text[:0]
}

// printf adds a text that is written even when quiet.
func (n *stderrLog) printf(format string, args ...any) {
	n.text = fmt.Appendf(n.text, format, args...)
}

// at adds the line of an event of the match, such as "STARTED".
func (n *stderrLog) at(event string, t time.Time) {
	if !n.quiet {
		n.text = append(appendStamp(append(append(n.text, event...), " at "...), t), '\n')
	}
}

// message adds the line of a message, with its end, TO or FROM a seat.
func (n *stderrLog) message(direction string, seat int, t time.Time, line []byte) {
	if n.quiet {
		return
	}
	n.text = append(append(n.text, direction...), ' ')
	n.text = append(strconv.AppendInt(n.text, int64(seat+1), 10), " at "...)
	n.text = append(append(appendStamp(n.text, t), ' '), line...)
}

// secondsEvery is the number of hands between two lists of the seats' used time.
const secondsEvery = 100

// seconds adds the time that the seats have used, every secondsEvery hands.
func (n *stderrLog) seconds(hand uint32, seats []*seat) {
	if n.quiet || hand%secondsEvery != 0 {
		return
	}
	for i, p := range seats {
		n.printf("Seconds cumulatively spent in match for seat %d: %d\n", i, p.inMatch/time.Second)
	}
}

// appendStamp appends a time as seconds since 1970 with six decimals.
func appendStamp(dst []byte, t time.Time) []byte {
	micros := t.UnixMicro()
	dst = strconv.AppendInt(dst, micros/1e6, 10)
	fraction := strconv.AppendInt(nil, 1e6+micros%1e6, 10)
	fraction[0] = '.' // the 1 in front keeps the zeros
	return append(dst, fraction...)
}
