package server

import (
	"time"

	"gamebots/hexproto/server/database"
)

// On a busy machine, tests take long to let others go first.
func init() { analysisWait = time.Hour }

// SetClock replaces the system's clock.
func SetClock(f func() time.Time) (restore func()) {
	old := clock
	clock = f
	return func() { clock = old }
}

// Archived returns how many views of a game the archive has, and the bytes that it counts
// for them.
func (s *Server) Archived(id string) (views, size int) {
	s.archive.mu.Lock()
	defer s.archive.mu.Unlock()
	g, _ := s.archive.recent.Peek(id)
	return len(g.table.final), g.size
}

// Knows reports whether the server has the account of a token in memory.
func (s *Server) Knows(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts.byToken[database.Hash(token)] != nil
}
