package main

import (
	"math"
	"time"

	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/records"

	"github.com/rs/zerolog"
)

// snakeLog logs the progress of a search.
type snakeLog struct {
	log     *zerolog.Logger
	options records.SearchOptions
	search  *records.Search
	best    int       // longest length that was logged
	next    time.Time // time of the next line
}

// snakeLogInterval is the time between lines without news.
const snakeLogInterval = time.Minute

func newSnakeLog(log *zerolog.Logger, o records.SearchOptions) *snakeLog {
	return &snakeLog{log: log, options: o, next: time.Now().Add(time.Second)}
}

// update logs longer snakes: of runs at most once a second, of a series of beams or rounds each.
// Without any it logs a line a minute.
func (l *snakeLog) update() {
	t, now := &l.search.Tally, time.Now()
	if records.UsesBeams(l.options.Algorithm) || l.options.Algorithm == records.Walking {
		longest := l.search.Longest
		series := l.options.Improve || l.options.Walks > 0
		switch {
		case series && len(longest) > l.best:
			l.best, l.next = len(longest), now.Add(time.Second)
			l.log.Info().Int("best", l.best).Uint64("runs", t.Runs).Str("sequence", longest.String()).Msg("found")
		case series && now.After(l.next.Add(snakeLogInterval)):
			l.next = now.Add(time.Second)
			l.log.Info().Int("best", l.best).Uint64("runs", t.Runs).Uint64("steps", t.Work.Steps).Msg("searching")
		}
		return
	}
	if best := t.Best.Score; best > l.best && now.After(l.next) || now.After(l.next.Add(snakeLogInterval)) {
		l.best, l.next = best, now.Add(time.Second)
		mean, _ := t.Mean()
		l.log.Info().Int("best", best).Uint64("runs", t.Runs).Float64("mean", math.Round(100*mean)/100).Msg("searching")
	}
}

// beam logs the progress of a beam search.
func (l *snakeLog) beam(p snake.BeamProgress) {
	if now := time.Now(); now.After(l.next) {
		l.next = now.Add(snakeLogInterval / 6)
		l.log.Info().Int("edges", p.Length).Int("paths", p.Paths).Int("best", len(l.search.Longest)).Msg("searching")
	}
}
