package dealer

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

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
