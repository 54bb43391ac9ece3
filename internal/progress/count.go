package progress

import (
	"fmt"
	"io"
)

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
