package dealer

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// stderrLog writes what the original server prints on its standard error. Its
// lines wait until flush, which is called before every wait for a player, so
// that they cost one write an action.
type stderrLog struct {
	w     io.Writer // nil for none
	quiet bool      // no messages, only what is wrong and the score
	text  []byte
}

// flush writes what has been told since the last flush. Nobody may be there to
// read it, and the match is played on all the same.
func (n *stderrLog) flush() {
	if n.w != nil && len(n.text) > 0 {
		n.w.Write(n.text)
	}
	n.text = n.text[:0]
}

// printf tells what is told even when quiet.
func (n *stderrLog) printf(format string, args ...any) {
	n.text = fmt.Appendf(n.text, format, args...)
}

// at tells an event of the match, such as "STARTED".
func (n *stderrLog) at(event string, t time.Time) {
	if !n.quiet {
		n.text = append(appendStamp(append(append(n.text, event...), " at "...), t), '\n')
	}
}

// message tells of a line with its end, TO or FROM a seat.
func (n *stderrLog) message(direction string, seat int, t time.Time, line []byte) {
	if n.quiet {
		return
	}
	n.text = append(append(n.text, direction...), ' ')
	n.text = append(strconv.AppendInt(n.text, int64(seat+1), 10), " at "...)
	n.text = append(append(appendStamp(n.text, t), ' '), line...)
}

// secondsEvery is how many hands lie between two accounts of the seats' time.
const secondsEvery = 100

// seconds tells after some hands what time the seats have used.
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
