package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// conn is a connection to a client. One goroutine reads from it and one writes to
// it.
type conn struct {
	s       *Server
	ws      *websocket.Conn
	address string            // address of the client, without port
	agent   string            // what the client says that it is
	since   time.Time         // when it was opened
	place   *limit.Connection // among the server's connections
	ctx     context.Context   // ends with the connection

	analysing atomic.Bool            // an analysis for it waits or runs
	name      atomic.Pointer[string] // name of the account, for the journal; nil until Hello

	// For methods of the state and operations only.
	account *account          // nil until Hello
	token   [sha256.Size]byte // hash of the token that it came with
	views   bool              // asked for views of games
	watches map[tableRef]bool
	owed    map[tableRef]bool // games that it follows whose state it is to be sent
	// catching is set while those states are sent.
	catching bool

	// Owned by the reading goroutine.
	rate    *rate.Limiter
	strikes int           // messages over the rate; maxStrikes of them end the connection
	payers  []limit.Payer // who pays for what it does, from Hello on; read under the server's lock, too

	// The queue of the writing goroutine. Its sizes change under its lock, and are read without.
	queue  parallel.Guarded[queue]
	wake   chan struct{}
	size   atomic.Int64                 // size of the queue in bytes
	unread atomic.Pointer[atomic.Int64] // size of all queues of the account, from Hello on
	taken  chan struct{}                // signals that a frame has left the queue
}

// queue is what a connection has to write.
type queue struct {
	frames  []*frame
	closing []byte // the close message; nothing is enqueued after it
}

const (
	writeTimeout = 10 * time.Second // for each MiB
	maxStrikes   = 200
	// longMessage is the size of a message from which it counts as more than one, because it takes longer to read.
	longMessage = 4 << 10
)

// writeBuffers are shared: a connection has one only while it writes.
var writeBuffers = sync.Pool{}

var upgrader = websocket.Upgrader{
	ReadBufferSize: 1024, WriteBufferSize: 4096, WriteBufferPool: &writeBuffers,
	HandshakeTimeout: writeTimeout,
}

// abort resets the connection. A plain close would leave the system sending for
// minutes, and the client might not notice.
func (c *conn) abort() {
	under := c.ws.NetConn()
	if t, ok := under.(*tls.Conn); ok {
		under = t.NetConn() // closing the outer one would write
	}
	if t, ok := under.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // an error means that it is closed already
	}
	under.Close()
}

// writeFailed resets a connection after a failed write. It does not when both ends
// have sent a close frame: a reset might lose the client's last messages.
func (c *conn) writeFailed(err error) {
	c.queue.With(func(q *queue) { c.discard(q, []byte{}) })
	if !errors.Is(err, websocket.ErrCloseSent) {
		c.abort()
	}
}

// finish closes the connection once the queue is written.
func (c *conn) finish(code int, why string) {
	c.queue.With(func(q *queue) {
		if q.closing == nil {
			q.closing = websocket.FormatCloseMessage(code, why)
		}
	})
	c.signal()
}

func (c *conn) signal() { parallel.Signal(c.wake) }

// writeAll writes enqueued messages until the connection ends.
func (c *conn) writeAll() {
	defer c.ws.Close()
	ping := time.NewTicker(c.s.limits.Idle * 9 / 20)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-c.wake:
			var closing []byte
			if closing, err = c.writeQueue(); closing != nil {
				_ = c.ws.WriteControl(websocket.CloseMessage, closing, time.Now().Add(writeTimeout))
				return
			}
		case <-ping.C:
			err = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout))
		}
		if err != nil {
			c.writeFailed(err)
			return
		}
	}
}

// writeQueue writes what is enqueued, and returns the close message if that is next.
func (c *conn) writeQueue() (closing []byte, err error) {
	for {
		f, closing := c.next()
		parallel.Signal(c.taken)
		if f == nil {
			return closing, nil
		}
		c.ws.SetWriteDeadline(time.Now().Add(writeTimeout * time.Duration(1+len(f.text)>>20)))
		err := c.ws.WriteMessage(websocket.TextMessage, f.text)
		c.s.queues.drop(f)
		if err != nil {
			return nil, err
		}
	}
}

// readAll reads messages until the connection ends.
func (c *conn) readAll() {
	refused := false
	defer func() {
		if !refused { // a refused connection is closed once the reason is written
			c.finish(websocket.CloseNormalClosure, "")
		}
	}()
	idle := c.s.limits.Idle
	c.ws.SetReadLimit(int64(c.s.limits.Message))
	c.ws.SetReadDeadline(time.Now().Add(c.s.limits.Hello))
	greeted := false
	alive := func() {
		if greeted {
			c.ws.SetReadDeadline(time.Now().Add(idle))
		}
	}
	c.ws.SetPongHandler(func(string) error { alive(); return c.control() })
	c.ws.SetPingHandler(func(text string) error {
		err := c.ws.WriteControl(websocket.PongMessage, []byte(text), time.Now().Add(writeTimeout))
		return errors.Join(err, c.control())
	})
	for {
		kind, frame, err := c.ws.ReadMessage()
		if err != nil {
			if errors.Is(err, websocket.ErrReadLimit) {
				c.refused(wire.BadMessage)
			}
			return
		}
		at := clock()
		alive()
		if kind != websocket.TextMessage {
			c.finish(websocket.CloseUnsupportedData, "text only")
			return
		}
		size := 1 + len(frame)/longMessage
		if wait := take(c.rate, at, size); wait > 0 {
			if c.strike(size) {
				return
			}
			id, _, _ := wire.FromClient.Decode(frame)
			c.reply(id, later(wait, refusal(wire.TooFast, "", "too many messages")))
			continue
		}
		id, m, err := wire.FromClient.Decode(frame)
		if err != nil {
			code := wire.BadMessage
			if errors.Is(err, wire.ErrType) {
				code = wire.UnknownType
			}
			c.reply(id, refusal(code, "", "%v", err))
			continue
		}
		if refused = !c.s.receive(c, id, m, at); refused {
			return
		}
		if !greeted {
			greeted = true
			alive()
		}
	}
}

// reply answers at once, unless the connection or the server ends: what fails then is no fault, and the client is told
// of the restart. It can overtake messages that wait for the store.
func (c *conn) reply(id uint64, m wire.Message) {
	if c.ctx.Err() != nil {
		return
	}
	if e, ok := m.(*wire.Error); ok {
		c.refused(e.Code)
	}
	f := encode(id, m)
	c.s.budgets.sent.Charge(clock(), float64(len(f.text)), c.payers...)
	c.enqueue(f)
}

// refused counts and notes the code of an error.
func (c *conn) refused(code string) {
	c.s.count.refused(code)
	c.note(refused, code)
}

// note notes what the connection does in the journal.
func (c *conn) note(kind, code string) {
	n := note{kind: kind, code: code, address: c.address}
	if name := c.name.Load(); name != nil {
		n.account = *name
	}
	c.s.journal.note(n)
}

// strike counts a message over the rate as one or more, and reports whether it was the last one.
func (c *conn) strike(n int) bool {
	if c.strikes += n; c.strikes <= maxStrikes {
		return false
	}
	c.note(cutOff, wire.TooFast)
	c.finish(websocket.ClosePolicyViolation, "too many messages")
	return true
}

var errControl = errors.New("too many control frames")

// control counts a control frame like a message. An error ends the connection.
func (c *conn) control() error {
	if take(c.rate, clock(), 1) > 0 && c.strike(1) {
		return errControl
	}
	return nil
}

func encode(id uint64, m wire.Message) *frame {
	text, err := wire.Encode(id, m)
	if err != nil {
		panic(err) // a fault of the rules: all else in a message is a plain value
	}
	return &frame{text: text}
}

// take takes n of what a limiter gives, or returns how long to wait until there is so much.
func take(l *rate.Limiter, at time.Time, n int) time.Duration {
	r := l.ReserveN(at, min(n, l.Burst()))
	wait := r.DelayFrom(at)
	if wait > 0 {
		r.CancelAt(at)
	}
	return wait
}
