package limit

import (
	"fmt"
	"testing"

	"gamebots/internal/parallel"
)

// door opens connections and notes which of them are evicted.
type door struct {
	*Connections
	t       *testing.T
	evicted map[string]int // evictions by client
}

func newDoor(t *testing.T, bounds Bounds) *door {
	return &door{NewConnections(bounds, func(client string) bool { return client == "127.0.0.1" }), t, map[string]int{}}
}

// enter opens a connection of a client, which there has to be room for.
func (d *door) enter(client string) *Connection {
	d.t.Helper()
	c := d.Open(client, func() { d.evicted[client]++ })
	if c == nil {
		d.t.Fatalf("there is no room for %s", client)
	}
	return c
}

// A flood of newcomers from the networks of one customer evicts its own, and nobody who is slow to
// sign in.
func TestNewcomersOfOneNetwork(t *testing.T) {
	d := newDoor(t, Bounds{SignedIn: 400, Newcomers: 100, PerClient: 64})
	flood := func(n int) {
		for i := range n {
			d.enter(fmt.Sprintf("2001:db8:1:%x::/64", i%8))
		}
	}
	flood(90)
	slow := []*Connection{
		d.enter("203.0.113.7"), d.enter("2001:db8:2:1::/64"), d.enter("2001:db8:1:ffff::/64"), // its neighbour
	}
	flood(2000)
	for _, c := range slow {
		if !c.SignIn() {
			t.Errorf("a client of %s could not sign in", c.names[0])
		}
	}
	if open, newcomers := d.Count(); open != 100 || newcomers != 97 {
		t.Errorf("%d are open, %d of them newcomers", open, newcomers)
	}
}

// A client with too many connections evicts its own newcomers, and none that have signed in.
func TestConnectionsOfOneClient(t *testing.T) {
	d := newDoor(t, Bounds{SignedIn: 100, Newcomers: 100, PerClient: 2})
	first := d.enter("203.0.113.7")
	if !first.SignIn() {
		t.Error("it could not sign in")
	}
	d.enter("203.0.113.7")
	last := d.enter("203.0.113.7")
	if d.evicted["203.0.113.7"] != 1 || !last.SignIn() {
		t.Errorf("evicted %v", d.evicted)
	}
	if d.Open("203.0.113.7", nil) != nil {
		t.Error("it has one too many")
	}
	first.Close()
	first.Close() // again is no harm
	d.enter("203.0.113.7")
	for range 10 {
		d.enter("127.0.0.1")
	}
	if d.evicted["127.0.0.1"] > 0 {
		t.Error("an exempt client has a limit")
	}
}

// The networks around an IPv6 client have limits of their own.
func TestConnectionsOfWiderNetworks(t *testing.T) {
	d := newDoor(t, Bounds{SignedIn: 100, Newcomers: 100, PerClient: 2})
	for i, client := range []string{
		"2001:db8:1:1::/64", "2001:db8:1:2::/64", "2001:db8:1:1::/64", "2001:db8:1:3::/64", "2001:db8:1:4::/64",
	} {
		c := d.enter(client)
		if i < 3 {
			c.SignIn()
		}
	}
	if d.evicted["2001:db8:1:3::/64"] != 1 {
		t.Errorf("in a network of 56 bits these were evicted: %v", d.evicted)
	}
	for i := range 4 {
		d.enter(fmt.Sprintf("2001:db8:1:%x::/64", 0xa00+0x100*i)).SignIn()
	}
	d.enter("2001:db8:1:ffff::/64").SignIn() // it replaces the last newcomer
	if d.Open("2001:db8:1:ffff::/64", nil) != nil {
		t.Error("a network of 48 bits has one too many")
	}
	d.enter("2001:db8:2::/64")
}

// When all places of those who have signed in are taken, nobody loses one.
func TestSignedIn(t *testing.T) {
	d := newDoor(t, Bounds{SignedIn: 1, Newcomers: 2, PerClient: 9})
	a, b := d.enter("203.0.113.7"), d.enter("203.0.113.8")
	if !a.SignIn() || b.SignIn() {
		t.Error("not one alone has signed in")
	}
	if d.Open("203.0.113.9", nil) != nil || len(d.evicted) > 0 {
		t.Errorf("there is room for another; evicted %v", d.evicted)
	}
	a.Close()
	b.Close()
	networks := parallel.Get(&d.state, func(cs *connections) int { return len(cs.networks) })
	if open, newcomers := d.Count(); open+newcomers+networks != 0 {
		t.Errorf("in the end %d are open, %d newcomers in %d networks", open, newcomers, networks)
	}
	c := d.enter("203.0.113.9")
	d.enter("203.0.113.7")
	d.enter("203.0.113.8")
	if c.SignIn() {
		t.Error("an evicted connection signs in")
	}
}
