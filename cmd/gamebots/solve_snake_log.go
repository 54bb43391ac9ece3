package main

import (
	"math"
	"time"

	"gamebots/solvers/nmcs/snake"

	"github.com/rs/zerolog"
)

// snakeLog logs the progress of a search.
type snakeLog struct {
	log    *zerolog.Logger
	search *snake.Search
	best   int       // longest length that was logged
	next   time.Time // time of the next line
}

// snakeLogInterval is the time between lines without news.
const snakeLogInterval = time.Minute

func newSnakeLog(log *zerolog.Logger) *snakeLog {
	return &snakeLog{log: log, next: time.Now().Add(time.Second)}
}

// update logs longer snakes, at most once a second, and without any a line a minute.
func (l *snakeLog) update() {
	t, now := &l.search.Tally, time.Now()
	if best := t.Best.Score; best > l.best && now.After(l.next) || now.After(l.next.Add(snakeLogInterval)) {
		l.best, l.next = best, now.Add(time.Second)
		mean, _ := t.Mean()
		l.log.Info().Int("best", best).Uint64("runs", t.Runs).Float64("mean", math.Round(100*mean)/100).Msg("searching")
	}
}
