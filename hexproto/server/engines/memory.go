package engines

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// Memory keeps the engines of many games open within its bytes. An engine in
// use is never closed, so the bytes must suffice for those that are in use at a time.
//
// Any goroutine may use a Memory.
type Memory struct {
	onError func(error)

	mu         sync.Mutex
	free       int64
	resting    []*Seat     // seats in the order in which they were last used
	collecting *time.Timer // until freed memory is given back to the system, or nil
}

// Seat is the engine of a seat of a game, open or not. One goroutine uses it; any may
// call Drop.
type Seat struct {
	memory *Memory
	bytes  int64
	open   func(ctx context.Context, game *wire.Game) (hexproto.Engine, error)

	engine hexproto.Engine // nil while it is closed; guarded by the memory's lock while it rests
	expiry *time.Timer     // closes an engine that rests
}

const (
	// restTime is how long an engine stays open that nobody uses.
	restTime = 30 * time.Second
	// collectAfter is the time in which other engines may be closed, too, before
	// freed memory is given back to the system.
	collectAfter = time.Second
)

// NewMemory returns a memory for engines that take these bytes in all. They get half of
// it, because the garbage of closed ones may take as much before it is collected.
// OnError gets the errors of engines that do not close.
func NewMemory(bytes int64, onError func(error)) *Memory {
	return &Memory{free: bytes / 2, onError: onError}
}

// Seat returns a seat for an engine that takes these bytes and that open opens.
// An engine of no bytes stays open until Close.
func (m *Memory) Seat(bytes int64, open func(ctx context.Context, game *wire.Game) (hexproto.Engine, error)) *Seat {
	return &Seat{memory: m, bytes: bytes, open: open}
}

// Use returns the engine, which stays open until Rest. If it has to be opened and there
// is too little memory, those that have rested longest are closed.
func (s *Seat) Use(ctx context.Context, game *wire.Game) (hexproto.Engine, error) {
	m := s.memory
	m.mu.Lock()
	if s.engine != nil {
		m.wake(s)
		m.mu.Unlock()
		return s.engine, nil
	}
	m.free -= s.bytes
	var closed []hexproto.Engine
	for m.free < 0 && len(m.resting) > 0 {
		closed = append(closed, m.take(m.resting[0]))
	}
	m.mu.Unlock()
	m.close(closed...)
	defer func() { // also after a panic of the bot
		if s.engine == nil {
			m.mu.Lock()
			m.free += s.bytes
			m.mu.Unlock()
		}
	}()
	engine, err := s.open(ctx, game)
	if err != nil {
		return nil, err
	}
	s.engine = engine
	return engine, nil
}

// Rest ends the use of the engine. It may be closed from now on.
func (s *Seat) Rest() {
	m := s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.engine != nil && s.bytes > 0 {
		m.resting = append(m.resting, s)
		s.expiry = time.AfterFunc(restTime, s.Drop)
	}
}

// Drop closes the engine if it rests. The next use opens it again.
func (s *Seat) Drop() {
	m := s.memory
	m.mu.Lock()
	var engine hexproto.Engine
	if slices.Contains(m.resting, s) {
		engine = m.take(s)
		if m.collecting == nil {
			m.collecting = time.AfterFunc(collectAfter, m.collect)
		}
	}
	m.mu.Unlock()
	if engine != nil {
		m.close(engine)
	}
}

// Close closes the engine for good. It is not in use.
func (s *Seat) Close() {
	s.Drop()
	if s.engine != nil { // engines of no bytes stay open
		s.memory.close(s.engine)
		s.engine = nil
	}
}

// wake removes an engine from those that rest.
func (m *Memory) wake(s *Seat) {
	if i := slices.Index(m.resting, s); i >= 0 {
		m.resting = slices.Delete(m.resting, i, i+1)
		s.expiry.Stop()
	}
}

// take takes an engine that rests from its seat, to be closed.
func (m *Memory) take(s *Seat) hexproto.Engine {
	m.wake(s)
	m.free += s.bytes
	engine := s.engine
	s.engine = nil
	return engine
}

func (m *Memory) close(engines ...hexproto.Engine) {
	for _, e := range engines {
		if err := e.Close(); err != nil {
			m.onError(err)
		}
	}
}

// collect gives freed memory back to the system, which the runtime alone does minutes
// later on an idle server.
func (m *Memory) collect() {
	m.mu.Lock()
	m.collecting = nil
	m.mu.Unlock()
	debug.FreeOSMemory()
}
