package jobs

import (
	"crypto/rand"
	"runtime"
	"sync"

	"gamebots/bots/grid"
	"gamebots/cudalib"
)

// NewRun returns a name for a run that will not be resumed.
func NewRun(what string) string { return what + " " + rand.Text() }

// Kinds returns the functions of all kinds of jobs in this package. The device that they open stays open as long as the
// program, which does jobs until it ends.
func Kinds() grid.Kinds {
	device := sync.OnceValues(func() (*cudalib.Device, error) { // a GPU if there is one
		d, _, err := cudalib.Choice{}.Open()
		return d, err
	})
	return grid.Kinds{
		BoardKind:    BoardJob(BoardMeans{Open: device, Threads: runtime.NumCPU()}),
		SelfPlayKind: SelfPlayJob(device),
	}
}
