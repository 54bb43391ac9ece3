package dealer

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"time"

	"gamebots/acpc"
)

// writeTimeout limits the time of a write to a player who does not read. It does not
// affect one who thinks: the system buffers many messages, and the dealer sends none while
// it waits for an answer.
const writeTimeout = 30 * time.Second

// seat is the connection of a player, with the time used by its answers.
type seat struct {
	conn  net.Conn
	lines *bufio.Reader

	message []byte        // the last one, with its end
	asked   time.Time     // when it was sent
	waiting time.Time     // since the wait for the current line began
	inHand  time.Duration // time used in the hand
	inMatch time.Duration // time used in the match
}

func newSeat(conn net.Conn) *seat {
	return &seat{conn: conn, lines: bufio.NewReaderSize(conn, acpc.MaxLine)}
}

// send sends the message.
func (p *seat) send() error {
	if err := p.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := p.conn.Write(p.message)
	p.asked = time.Now()
	return err
}

// readLine returns the next line with its end, valid until the next call. As in the
// original, a line ends at a zero byte, a line longer than acpc.MaxLine is split, and the
// last line of the connection may lack its end.
func (p *seat) readLine(limit time.Duration) ([]byte, error) {
	p.waiting = time.Now()
	if err := p.conn.SetReadDeadline(p.waiting.Add(limit)); err != nil {
		return nil, err
	}
	line, err := p.lines.ReadSlice('\n')
	if err == bufio.ErrBufferFull || err == io.EOF && len(line) > 0 {
		err = nil
	}
	if i := bytes.IndexByte(line, 0); i >= 0 {
		line = line[:i]
	}
	return line, err
}

// charge adds the time of an answer to the seat's used time, and reports whether that is
// within the limits. It counts whole microseconds, as the transaction file does, so that a
// resumed match has the same times.
func (p *seat) charge(asked, received time.Time, limits *Limits, budget time.Duration) bool {
	used := time.Duration(received.UnixMicro()-asked.UnixMicro()) * time.Microsecond
	if used < 0 {
		return true // the clock was set back; the original accepts that too
	}
	p.inHand += used
	p.inMatch += used
	return used <= limits.Response && p.inHand <= limits.Hand && p.inMatch <= budget
}
