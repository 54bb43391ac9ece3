package server

import (
	"sync/atomic"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/internal/parallel"
)

// What tests replace while servers, perhaps of tests before, go on.
var (
	replacedClock atomic.Pointer[func() time.Time]
	replacedSpace atomic.Pointer[freeBytes]
)

// freeBytes is what is free of a disk, which has a hundred thousand, and of memory.
type freeBytes struct{ disk, memory int64 }

func init() {
	spotTime = time.Second
	analysisWait = time.Hour // on a busy machine, tests take long to let others go first
	system, disk, memory := clock, freeDisk, freeMemory
	clock = func() time.Time {
		if f := replacedClock.Load(); f != nil {
			return (*f)()
		}
		return system()
	}
	freeDisk = func(name string) (free, all int64, known bool) {
		if s := replacedSpace.Load(); s != nil {
			return s.disk, 100_000, true
		}
		return disk(name)
	}
	freeMemory = func() int64 {
		if s := replacedSpace.Load(); s != nil {
			return s.memory
		}
		return memory()
	}
}

// SetClock replaces the system's clock.
func SetClock(f func() time.Time) (restore func()) {
	old := replacedClock.Swap(&f)
	return func() { replacedClock.Store(old) }
}

// SetSpace replaces the free bytes of the disk and of memory.
func SetSpace(disk, memory int64) (restore func()) {
	old := replacedSpace.Swap(&freeBytes{disk, memory})
	return func() { replacedSpace.Store(old) }
}

// LookAtSpace looks at the free space at once.
func (s *Server) LookAtSpace() { s.lookAtSpace() }

// Asleep returns how many games sleep, and the bytes that those take which do not.
func (s *Server) Asleep() (games, memory int) {
	s.state.With(func(st *state) {
		for _, t := range st.games.tables {
			if t.asleep() {
				games++
			}
		}
		memory = st.games.memoryUsed
	})
	return games, memory
}

// Slept returns how often running games were put to sleep.
func (s *Server) Slept() (times int) {
	s.state.With(func(st *state) {
		for _, t := range st.games.tables {
			times += t.slept
		}
	})
	return times
}

// MakeRoom puts games to sleep if they take too much memory.
func (s *Server) MakeRoom() {
	s.state.With(func(st *state) { st.games.makeRoom(0) })
}

// Present reports whether the account of a name is connected.
func (s *Server) Present(name string) bool {
	return parallel.Get(&s.state, func(st *state) bool { return st.accounts.named(name).present() })
}

// Archived returns how many views of a game the archive has, and the bytes that it counts
// for them.
func (s *Server) Archived(id string) (views, size int) {
	g, _ := s.archive.recent.Peek(id)
	return len(g.table.final), int(g.size)
}

// Knows reports whether the server has the account of a token in memory.
func (s *Server) Knows(token string) bool {
	return s.withHash(database.Hash(token)) != nil
}
