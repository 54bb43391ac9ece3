package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Part shows which part of some work is done, or for how long it has run. Any
// goroutine may update it.
type Part struct {
	mu     sync.Mutex
	bar    *Bar
	log    func(done string)
	closed bool
}

// NewPart returns the bar of some work on w. Off a terminal log is called instead,
// once a minute, with how much is done.
func NewPart(w io.Writer, what string, log func(done string)) *Part {
	return &Part{bar: New(w, what), log: log}
}

// Update shows that a part is done, from 0 to 1.
func (b *Part) Update(part float64) {
	b.report(part, func() string { return fmt.Sprintf("%.0f%%, %s left", 100*part, TimeLeft(b.bar.Start, part)) })
}

// Tick shows, until stop is called, for how long work of unknown length has run.
func (b *Part) Tick() (stop func()) {
	return every(time.Second, func() {
		b.report(0, func() string { return fmt.Sprintf("for %v", time.Since(b.bar.Start).Round(time.Second)) })
	})
}

func (b *Part) report(part float64, text func() string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || !b.bar.Due() {
		return
	}
	if text := text(); !b.bar.Show(part, text) {
		b.log(text)
	}
}

// Close removes the bar. Later updates, as of work that was given up, do nothing.
func (b *Part) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.bar.Close()
}

// Count is a Part for work that consists of Total equal pieces.
type Count struct {
	*Part
	Total uint64
}

// NewCount is NewPart for total pieces of work.
func NewCount(w io.Writer, what string, log func(done string), total uint64) *Count {
	return &Count{NewPart(w, what, log), total}
}

// Update shows that done pieces are finished.
func (b *Count) Update(done uint64) {
	part := float64(done) / float64(b.Total)
	b.report(part, func() string {
		return fmt.Sprintf("%d of %d, %s left", done, b.Total, TimeLeft(b.bar.Start, part))
	})
}
