package dealer

import (
	"bufio"
	"net"
	"time"

	"gamebots/acpc"
)

// writeTimeout is how long a message may wait for a player who does not read.
// It passes unnoticed by one who thinks: the system holds many messages, and
// the dealer sends none while it waits for an answer.
const writeTimeout = 30 * time.Second

// seat is the connection of one player and the time that its answers took.
type seat struct {
	conn  net.Conn
	lines *bufio.Reader

	asked   time.Time     // when the last message was sent
	reading time.Time     // when the wait for the current line began
	inHand  time.Duration // time used in the hand
	inMatch time.Duration // and in the match
}

func newSeat(conn net.Conn) *seat {
	return &seat{conn: conn, lines: bufio.NewReaderSize(conn, acpc.MaxLine)}
}

// send writes one message.
func (p *seat) send(message []byte) error {
	p.asked = time.Now()
	if err := p.conn.SetWriteDeadline(p.asked.Add(writeTimeout)); err != nil {
		return err
	}
	_, err := p.conn.Write(message)
	return err
}

// readLine returns the next line with its end, valid until the next call, or
// the first acpc.MaxLine bytes of a longer one. A line that ends with the
// connection is none.
func (p *seat) readLine(deadline time.Time) ([]byte, error) {
	if err := p.conn.SetReadDeadline(deadline); err != nil {
		return nil, err
	}
	line, err := p.lines.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = nil
	}
	return line, err
}

// charge adds the time since the last message to what the seat has used, and
// says whether that is within the limits.
func (p *seat) charge(limits *Limits, hands uint32) bool {
	used := time.Since(p.asked)
	p.inHand += used
	p.inMatch += used
	return used <= limits.Response && p.inHand <= limits.Hand &&
		p.inMatch <= limits.PerHand*time.Duration(hands)
}
