package server

import (
	"sync/atomic"

	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
)

// frame is an encoded message. Many connections may have it to write.
type frame struct {
	text   []byte
	queues atomic.Int32 // number of queues that have it, or write it
}

// queues bounds the memory of all frames that wait to be written. What clients of one
// broadcast have not read is counted once.
type queues struct {
	size  atomic.Int64 // bytes
	conns parallel.Guarded[map[*conn]bool]
}

func (q *queues) add(c *conn) { q.conns.With(func(conns *map[*conn]bool) { (*conns)[c] = true }) }

func (q *queues) remove(c *conn) { q.conns.With(func(conns *map[*conn]bool) { delete(*conns, c) }) }

// hold counts a frame in one more queue, drop in one less.
func (q *queues) hold(f *frame) {
	if f.queues.Add(1) == 1 {
		q.size.Add(int64(len(f.text)))
	}
}

func (q *queues) drop(f *frame) {
	if f.queues.Add(-1) == 0 {
		q.size.Add(-int64(len(f.text)))
	}
}

// longest returns the connection with the longest queue, of those of an account unless that is
// nil. It returns nil if all queues are empty.
func (q *queues) longest(of *atomic.Int64) (longest *conn) {
	size := int64(0)
	q.conns.With(func(conns *map[*conn]bool) {
		for c := range *conns {
			if n := c.size.Load(); n > size && (of == nil || c.unread.Load() == of) {
				longest, size = c, n
			}
		}
	})
	return longest
}

// cutLongest resets the connection with the longest queue, of those of an account unless that
// is nil.
func (q *queues) cutLongest(of *atomic.Int64) {
	if c := q.longest(of); c != nil {
		c.queue.With(c.cut)
	}
}

// enqueue gives a frame to the writing goroutine. If the queues of the account are too long
// together, because the client does not read, it resets the connection with the longest of them,
// and that with the longest of all if all of them are.
func (c *conn) enqueue(f *frame) {
	full, of := false, c.unread.Load()
	c.queue.With(func(q *queue) {
		if q.closing == nil {
			q.frames = append(q.frames, f)
			c.s.queues.hold(f)
			full = c.count(c.share(f)) > int64(c.s.limits.Queue)
			if full && of == nil {
				c.cut(q)
			}
			c.signal()
		}
	})
	if full && of != nil {
		c.s.queues.cutLongest(of)
	}
	if c.s.queues.size.Load() > int64(c.s.limits.QueueAll) {
		c.s.queues.cutLongest(nil)
	}
}

// share returns how many bytes of its queue a frame counts for, at most half of what all of an
// account's may have: the state of a long match has to reach its players, too.
func (c *conn) share(f *frame) int { return min(len(f.text), c.s.limits.Queue/2) }

// count adds bytes to the size of the queue. It returns that of all queues of the account, or of
// this one before Hello.
func (c *conn) count(bytes int) int64 {
	size := c.size.Add(int64(bytes))
	if of := c.unread.Load(); of != nil {
		size = of.Add(int64(bytes))
	}
	return size
}

// joinQueues counts the queue to those of an account.
func (c *conn) joinQueues(a *account) {
	c.queue.With(func(*queue) {
		a.unread.Add(c.size.Load())
		c.unread.Store(&a.unread)
	})
}

// cut resets the connection of a client that does not read.
func (c *conn) cut(q *queue) {
	c.note(cutOff, "does not read")
	c.discard(q, websocket.FormatCloseMessage(websocket.ClosePolicyViolation, "does not read"))
	c.abort() // its buffers are full, so a close frame would not arrive
}

// discard forgets the queue, and takes no more frames.
func (c *conn) discard(q *queue, closing []byte) {
	if q.closing == nil {
		q.closing = closing
	}
	for _, f := range q.frames {
		c.s.queues.drop(f)
	}
	q.frames = nil
	c.count(-int(c.size.Load()))
}

// next takes the next frame to write, which is dropped when it is written. Without
// one it returns the close message, if there is one.
func (c *conn) next() (f *frame, closing []byte) {
	c.queue.With(func(q *queue) {
		if len(q.frames) == 0 {
			q.frames, closing = nil, q.closing
			return
		}
		f = q.frames[0]
		q.frames[0] = nil
		q.frames = q.frames[1:]
		c.count(-c.share(f))
	})
	return f, closing
}
