package limit

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"slices"

	"gamebots/internal/parallel"
)

// Listener bounds the connections of an HTTP server. Where there are too many, a new
// one takes the place of the one that has waited longest without a complete request.
// A flood of requests that never end so uses up its own connections; others need
// theirs only for a moment.
type Listener struct {
	net.Listener
	sockets parallel.Guarded[sockets]
}

// sockets are those of a Listener.
type sockets struct {
	limit, perClient int
	exempt           func(client string) bool
	open             int
	clients          map[string]int // connections by network of a client
	waiting          list.List      // sockets without a request, longest first
}

// Listen bounds the connections of a listener, in all and of each client. The networks around an
// IPv6 client may have more of them, as [Bounds] says. Those of exempt clients, such as proxies,
// are bounded in all only. There is no limit beyond what the system allows to open.
func Listen(l net.Listener, limit, perClient int, exempt func(client string) bool) *Listener {
	return &Listener{l, parallel.Guard(sockets{
		limit: min(limit, room(openFiles())), perClient: perClient, exempt: exempt, clients: map[string]int{},
	})}
}

// room returns how many connections a server may have that can open some files: some are left for databases,
// logs and what else it opens.
func room(files int) int { return max(files-64, files/2) }

// socket is a connection of a Listener.
type socket struct {
	net.Conn
	l        *Listener
	networks []string      // networks of the client, narrowest first
	place    *list.Element // element of waiting; nil while there is a request, and in the end
	closed   bool
}

// Accept waits for a connection that there is room for.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		s := &socket{Conn: c, l: l, networks: Networks(Client(c.RemoteAddr().String()))}
		var replaced *socket
		ok := parallel.Get(&l.sockets, func(all *sockets) (ok bool) { replaced, ok = all.admit(s); return ok })
		if replaced != nil {
			replaced.abort()
		}
		if ok {
			return s, nil
		}
		c.Close()
	}
}

// admit makes room for a socket, if it can, in place of another.
func (l *sockets) admit(s *socket) (replaced *socket, ok bool) {
	crowd := l.crowded(s.networks)
	if crowd != "" || l.open >= l.limit {
		for e := l.waiting.Front(); e != nil && replaced == nil; e = e.Next() {
			if old := e.Value.(*socket); crowd == "" || slices.Contains(old.networks, crowd) {
				replaced = old
			}
		}
		if replaced == nil {
			return nil, false
		}
		l.forget(replaced)
	}
	l.open++
	for _, network := range s.networks {
		l.clients[network]++
	}
	s.place = l.waiting.PushBack(s)
	return replaced, true
}

// crowded returns the narrowest of a client's networks that has as many connections as it may
// have, or "".
func (l *sockets) crowded(networks []string) string {
	for i, network := range networks {
		if l.clients[network] >= l.perClient<<i && !l.exempt(networks[0]) {
			return network
		}
	}
	return ""
}

// forget takes a socket off the books.
func (l *sockets) forget(s *socket) {
	if s.closed {
		return
	}
	s.closed = true
	l.setWaiting(s, false)
	l.open--
	for _, network := range s.networks {
		if l.clients[network]--; l.clients[network] == 0 {
			delete(l.clients, network)
		}
	}
}

// setWaiting notes whether a socket waits for a request.
func (l *sockets) setWaiting(s *socket, waits bool) {
	switch {
	case s.place != nil && !waits:
		l.waiting.Remove(s.place)
		s.place = nil
	case s.place == nil && waits && !s.closed:
		s.place = l.waiting.PushBack(s)
	}
}

// Close closes the connection.
func (s *socket) Close() error {
	s.l.sockets.With(func(l *sockets) { l.forget(s) })
	return s.Conn.Close()
}

// abort resets the connection, so that nothing is left of it.
func (s *socket) abort() {
	_ = s.SetLinger(0) // the connection is closed anyway
	_ = s.Close()
}

// SetLinger is that of a TCP connection.
func (s *socket) SetLinger(seconds int) error {
	if c, ok := s.Conn.(*net.TCPConn); ok {
		return c.SetLinger(seconds)
	}
	return nil
}

type socketKey struct{}

// Serve makes a server tell the listener which connections have a request.
func (l *Listener) Serve(h *http.Server) {
	handler := h.Handler
	h.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.note(r.Context().Value(socketKey{}).(net.Conn), false)
		handler.ServeHTTP(w, r)
	})
	h.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, socketKey{}, c)
	}
	h.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateIdle {
			l.note(c, true)
		}
	}
}

// note notes whether a connection waits for a request.
func (l *Listener) note(c net.Conn, waits bool) {
	if outer, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
		c = outer.NetConn()
	}
	s := c.(*socket)
	l.sockets.With(func(l *sockets) { l.setWaiting(s, waits) })
}
