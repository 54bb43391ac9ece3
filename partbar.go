package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// partBar tells which part of some work is done, or that it goes on. Any goroutine
// may tell it.
type partBar struct {
	mu  sync.Mutex
	bar *progressBar
	log *zerolog.Logger
}

func newPartBar(w io.Writer, log *zerolog.Logger, what string) *partBar {
	return &partBar{bar: newProgressBar(w, what), log: log}
}

// update is told which part is done, from 0 to 1.
func (b *partBar) update(part float64) {
	b.tell(part, func() string { return fmt.Sprintf("%.0f%%, %s left", 100*part, timeLeft(b.bar.start, part)) })
}

// tick tells how long the work takes, where nobody knows how long it will, until
// stop is called.
func (b *partBar) tick() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-time.After(time.Second):
				b.tell(0, func() string { return fmt.Sprintf("for %v", time.Since(b.bar.start).Round(time.Second)) })
			case <-end:
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}

func (b *partBar) tell(part float64, text func() string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.bar.due() {
		return
	}
	if text := text(); !b.bar.show(part, text) {
		b.log.Info().Str("done", text).Msg(b.bar.name)
	}
}

func (b *partBar) close() { b.bar.close() }
