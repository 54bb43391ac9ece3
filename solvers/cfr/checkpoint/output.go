package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"gamebots/internal/atomicfile"
)

// Suffix follows the name of the file that a training writes in that of its checkpoint.
const Suffix = ".checkpoint"

// Claim keeps other trainings from writing a file and its checkpoint until release is called. It
// refuses to replace what the training could not go on from: a file without a checkpoint, unless the
// training is to begin afresh, and one that does not begin with the magic of its kind.
// Errors are of type [*OutputError].
func Claim(file, magic string, afresh bool) (release func(), err error) {
	release, err = atomicfile.Hold(file)
	if err != nil {
		return nil, &OutputError{file, err}
	}
	if err := claimable(file, magic, afresh); err != nil {
		release()
		return nil, &OutputError{file, err}
	}
	return release, nil
}

func claimable(file, magic string, afresh bool) error {
	ours := atomicfile.Begins(file, magic)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !ours {
		return ErrOccupied
	}
	if _, err := os.Stat(file + Suffix); errors.Is(err, fs.ErrNotExist) && ours && !afresh {
		return ErrNoCheckpoint
	}
	f, err := atomicfile.Create(file) // before hours of training, which must not be lost
	if err != nil {
		return err
	}
	return f.Cleanup()
}

// Resume reads the checkpoint of a file as [Read] does, and reports whether there is one. Errors are of
// type [*ResumeError].
func Resume(file string, want Meta, to State) (m Meta, resumed bool, err error) {
	m, err = Read(file+Suffix, want, to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, false, nil
	case err != nil:
		return m, false, &ResumeError{err}
	}
	return m, true, nil
}

// OutputError is the error of a file that a training cannot write, or would not replace.
type OutputError struct {
	File string
	Err  error // ErrOccupied, ErrNoCheckpoint, [atomicfile.ErrLocked] or one of the system
}

func (e *OutputError) Error() string {
	switch e.Err {
	case atomicfile.ErrLocked:
		return e.File + " is being written by another gamebots"
	case ErrOccupied, ErrNoCheckpoint:
		return e.File + " " + e.Err.Error()
	}
	return fmt.Sprintf("cannot write %s: %v", e.File, e.Err)
}

func (e *OutputError) Unwrap() error { return e.Err }

// ResumeError is the error of a checkpoint from which a training does not continue.
type ResumeError struct{ Err error }

func (e *ResumeError) Error() string { return e.Err.Error() }
func (e *ResumeError) Unwrap() error { return e.Err }

// First is the training time, of all runs together, after which the first checkpoint is written. Tests change it.
var First = 30 * time.Second

// growth is how many times later the next checkpoint is written: so a crash loses at most a sixth of a training, or its
// first half minute, and the first hour has 27 checkpoints.
const growth = 1.2

// After returns the training time of the first checkpoint that is due after another one.
func After(spent time.Duration) time.Duration {
	due := First
	for due <= spent {
		due = time.Duration(growth * float64(due))
	}
	return due
}
