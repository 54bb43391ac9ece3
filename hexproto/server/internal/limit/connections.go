package limit

import (
	"container/list"
	"slices"

	"gamebots/internal/parallel"
)

// Connections bounds the connections that clients sign in by and, apart from those, the newcomers:
// connections that have not signed in yet. Where there are too many newcomers, in all or of one
// network, another one takes the place of the oldest of the most crowded network. Whoever opens
// many so closes his own, while others have time to sign in by a slow line.
type Connections struct{ state parallel.Guarded[connections] }

// connections are the state of Connections.
type connections struct {
	bounds    Bounds
	exempt    func(client string) bool
	open      int
	newcomers list.List // each a *Connection, oldest first
	networks  map[string]*network
}

// Bounds are how many connections there may be.
type Bounds struct {
	SignedIn, Newcomers int
	// PerClient is for both kinds. Of an IPv6 client, the network of 56 bits around it may have
	// twice, and that of 48 bits four times as many.
	PerClient int
}

// network counts the connections of a network.
type network struct{ open, newcomers int }

// Connection is one of Connections, until it is closed.
type Connection struct {
	of       *Connections
	names    []string      // names of the networks of the client, narrowest first
	networks []*network    // those networks
	place    *list.Element // element of newcomers; nil once it has signed in
	closed   bool
	evict    func()
}

// NewConnections returns connections with bounds, of which exempt clients, such as proxies, have
// no PerClient. Newcomers have at most a quarter of what the system allows to open.
func NewConnections(bounds Bounds, exempt func(client string) bool) *Connections {
	bounds.Newcomers = min(bounds.Newcomers, openFiles()/4)
	return &Connections{parallel.Guard(connections{bounds: bounds, exempt: exempt, networks: map[string]*network{}})}
}

// Open adds a newcomer, or returns nil if there is no room for it. Evict is called when the
// newcomer has to make room for another one; it must not wait for a call of Connections.
func (cs *Connections) Open(client string, evict func()) *Connection {
	c := &Connection{of: cs, names: Networks(client), evict: evict}
	if !parallel.Get(&cs.state, func(cs *connections) bool { return cs.add(c, client) }) {
		return nil
	}
	return c
}

// add adds a newcomer, and reports whether there was room for it.
func (cs *connections) add(c *Connection, client string) bool {
	if cs.open-cs.newcomers.Len() >= cs.bounds.SignedIn {
		return false
	}
	for i, name := range c.names {
		n := cs.networks[name]
		if n == nil {
			n = &network{}
		}
		if n.open >= cs.bounds.PerClient<<i && !cs.exempt(client) && !cs.replace(n) {
			return false
		}
		c.networks = append(c.networks, n)
	}
	if cs.newcomers.Len() >= cs.bounds.Newcomers && !cs.replace(nil) {
		return false
	}
	cs.open++
	c.place = cs.newcomers.PushBack(c)
	for i, n := range c.networks {
		n.open++
		n.newcomers++
		cs.networks[c.names[i]] = n
	}
	return true
}

// Count returns how many connections there are, and how many of them are newcomers.
func (cs *Connections) Count() (open, newcomers int) {
	cs.state.With(func(cs *connections) { open, newcomers = cs.open, cs.newcomers.Len() })
	return open, newcomers
}

// replace evicts the oldest newcomer of the most crowded network, or of the most crowded one within
// a network that is not nil. It reports whether there was one.
func (cs *connections) replace(within *network) bool {
	var found *Connection
	for e := cs.newcomers.Front(); e != nil; e = e.Next() {
		c := e.Value.(*Connection)
		if (within == nil || slices.Contains(c.networks, within)) &&
			(found == nil || c.crowded(found)) {
			found = c
		}
	}
	if found == nil {
		return false
	}
	cs.forget(found)
	found.evict()
	return true
}

// crowded reports whether a newcomer's networks have more newcomers than those of another one, the
// widest network in which they differ.
func (c *Connection) crowded(than *Connection) bool {
	for wide := 2; wide >= 0; wide-- {
		own, other := c.newcomers(wide), than.newcomers(wide)
		if own != other {
			return own > other
		}
	}
	return false
}

// newcomers counts the newcomers of one of the client's networks. The only network of an IPv4
// client counts as each of them.
func (c *Connection) newcomers(wide int) int {
	return c.networks[min(wide, len(c.networks)-1)].newcomers
}

// SignIn makes a newcomer one that has signed in. It reports false if it was evicted, or if too
// many have signed in.
func (c *Connection) SignIn() bool {
	return parallel.Get(&c.of.state, func(cs *connections) bool {
		if c.closed || cs.open-cs.newcomers.Len() >= cs.bounds.SignedIn {
			return false
		}
		cs.leaveNewcomers(c)
		return true
	})
}

// Close forgets a connection.
func (c *Connection) Close() { c.of.state.With(func(cs *connections) { cs.forget(c) }) }

// forget takes a connection off the books.
func (cs *connections) forget(c *Connection) {
	if c.closed {
		return
	}
	c.closed = true
	cs.leaveNewcomers(c)
	cs.open--
	for i, n := range c.networks {
		if n.open--; n.open == 0 {
			delete(cs.networks, c.names[i])
		}
	}
}

// leaveNewcomers counts a connection as a newcomer no more.
func (cs *connections) leaveNewcomers(c *Connection) {
	if c.place == nil {
		return
	}
	cs.newcomers.Remove(c.place)
	c.place = nil
	for _, n := range c.networks {
		n.newcomers--
	}
}
