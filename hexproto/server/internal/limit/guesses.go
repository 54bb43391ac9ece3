package limit

import (
	"context"
	"gamebots/internal/parallel"
	"sync"
	"time"
)

// Guesses delays clients that send wrong secrets, by their addresses. The first few
// are free. After that the time between two guesses doubles with each, up to
// MaxDelay, until a client has not guessed for a minute.
type Guesses struct {
	mu      sync.Mutex
	clients map[string]*guesser
}

// guesser is an address from which wrong secrets came.
type guesser struct {
	wrong int
	next  time.Time // when it may guess again
}

// MaxDelay is the longest time between two guesses of a client, and the longest that
// Guess waits.
const MaxDelay = 8 * time.Second

const (
	freeGuesses = 5
	firstDelay  = 125 * time.Millisecond
	forgetAfter = time.Minute
	maxGuessers = 10000
)

// Guess waits until a client may guess, and counts the guess as a wrong one. It does
// not wait longer than MaxDelay: then nothing is counted, and it returns when the
// client may come back.
func (g *Guesses) Guess(ctx context.Context, client string) (retry time.Duration) {
	g.mu.Lock()
	now := time.Now()
	c := g.clients[client]
	if c == nil || now.Sub(c.next) > forgetAfter {
		if g.clients == nil || len(g.clients) >= maxGuessers { // whoever has so many addresses needs no patience
			g.clients = map[string]*guesser{}
		}
		c = &guesser{}
		g.clients[client] = c
	}
	if c.next.Before(now) {
		c.next = now
	}
	wait := c.next.Sub(now)
	next := c.next.Add(c.delay())
	if wait > 0 && next.Sub(now) > MaxDelay {
		g.mu.Unlock()
		return wait
	}
	c.next = next
	c.wrong++
	g.mu.Unlock()
	_ = parallel.Wait(ctx, time.After(wait))
	return 0
}

// delay is the time from the next guess to the one after it.
func (c *guesser) delay() time.Duration {
	if c.wrong < freeGuesses {
		return 0
	}
	return min(firstDelay<<min(c.wrong-freeGuesses, 10), MaxDelay)
}

// Right takes a guess back that was not wrong.
func (g *Guesses) Right(client string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := g.clients[client]; c != nil && c.wrong > 0 {
		c.wrong--
	}
}
