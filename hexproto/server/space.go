package server

import (
	"sync/atomic"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
)

// Space is nearly full when less than this is left of a large disk or memory, or the
// twentieth part of a small one. Running games have that much to go on.
const (
	reservedSpace = 64 << 20
	reservedPart  = 20
)

// The bytes that are free of the disk of a database, and of the memory. Tests replace them.
var (
	freeDisk   = database.Space
	freeMemory = memory.Available
)

// spaceInterval is the time between two looks at the free space, in which the server cannot
// fill much.
const spaceInterval = time.Second

// space is what is left of disk and memory.
type space struct {
	disk, memory atomic.Int64           // free bytes
	full         atomic.Pointer[string] // what is nearly full, "disk" or "memory", or nil

	enough int64 // free memory that is enough, if it is less than reservedSpace
}

// watchSpace looks at the free space, and at the file of the database, until the server ends.
func (s *Server) watchSpace() {
	for range parallel.Every(s.ctx.Done(), spaceInterval) {
		s.lookAtSpace()
		if err := s.store.moved(); err != nil {
			s.store.onFailure(err)
			return
		}
	}
}

// lookAtSpace looks whether disk and memory are nearly full, and warns the host when that
// changes.
func (s *Server) lookAtSpace() {
	free, all, known := freeDisk(s.Database)
	left := freeMemory()
	s.space.disk.Store(free)
	s.space.memory.Store(left)
	var full *string
	switch {
	case known && free < min(reservedSpace, all/reservedPart):
		full = new("disk")
	case left < min(reservedSpace, s.space.enough):
		full = new("memory")
	}
	switch before := s.space.full.Swap(full); {
	case full != nil && before == nil:
		s.log.Warn("space is nearly full: running games go on, but no new ones begin",
			"full", *full, "disk", free, "memory", left)
	case full == nil && before != nil:
		s.log.Info("there is space again, and new games begin", "disk", free, "memory", left)
	}
}

// spaceRetry is when to try again while there is no space.
const spaceRetry = time.Minute

// hasSpace returns an error if disk or memory are nearly full, so that nothing new begins.
func (c *core) hasSpace() *wire.Error {
	if full := c.space.full.Load(); full != nil {
		return later(spaceRetry, refusal(wire.TooMany, "",
			"the %s of this server is nearly full: running games go on, new ones begin when its host has made room",
			*full))
	}
	return nil
}
