package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"gamebots/internal/atomicfile"
)

// Suffix follows the name of the file that a training writes in that of its checkpoint.
const Suffix = ".checkpoint"

// Claim keeps other trainings from writing a file and its checkpoint until release is called. It
// refuses to replace what the training could not go on from: a file without a checkpoint, unless the
// training is to begin afresh, and one that does not begin with the magic of its kind, unless it is
// forced. Errors are of type [*OutputError].
func Claim(file, magic string, afresh, force bool) (release func(), err error) {
	release, err = atomicfile.Hold(file)
	if err != nil {
		return nil, &OutputError{file, err}
	}
	if err := claimable(file, magic, afresh, force); err != nil {
		release()
		return nil, &OutputError{file, err}
	}
	return release, nil
}

func claimable(file, magic string, afresh, force bool) error {
	ours := atomicfile.Begins(file, magic)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !ours && !force {
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

// Schedule is when checkpoints are written, in training time of all runs together:
// first after Start, then each time after Mult times the previous time plus Add. With
// a Mult over 1 both the cost of checkpoints and the work that a crash can lose stay in
// proportion to the length of the training.
type Schedule struct {
	Start time.Duration
	Mult  float64
	Add   time.Duration
}

// DefaultSchedule loses at most a sixth of a training, or its first half minute,
// and writes 27 checkpoints in the first hour.
var DefaultSchedule = Schedule{Start: 30 * time.Second, Mult: 1.2}

// ParseSchedule parses start,mult,add as in "30s,1.2,0s". A start alone stands for
// start,1,start.
func ParseSchedule(text string) (Schedule, error) {
	fail := func() (Schedule, error) {
		return Schedule{}, fmt.Errorf("%q is not start,mult,add such as 30s,1.2,0s: a time over 0, a factor of at "+
			"least 1, and a time; factor and time must let it grow", text)
	}
	fields := strings.Split(strings.ReplaceAll(text, " ", ""), ",")
	start, err := time.ParseDuration(fields[0])
	if err != nil || start <= 0 {
		return fail()
	}
	s := Schedule{Start: start, Mult: 1, Add: start}
	switch len(fields) {
	case 1:
		return s, nil
	case 3:
	default:
		return fail()
	}
	if s.Mult, err = strconv.ParseFloat(fields[1], 64); err != nil || !(s.Mult >= 1 && s.Mult <= 1e6) {
		return fail()
	}
	if s.Add, err = time.ParseDuration(fields[2]); err != nil || s.Add < 0 || s.Mult == 1 && s.Add == 0 {
		return fail()
	}
	return s, nil
}

// String formats the schedule for ParseSchedule.
func (s Schedule) String() string { return fmt.Sprintf("%v,%g,%v", s.Start, s.Mult, s.Add) }

// After returns the time of the first checkpoint that is due after a training time.
func (s Schedule) After(spent time.Duration) time.Duration {
	due := s.Start
	for due <= spent {
		// At least a millisecond later, even if a factor close to 1 rounds to nothing.
		due = max(time.Duration(s.Mult*float64(due))+s.Add, due+time.Millisecond)
	}
	return due
}
