package train

import (
	"errors"
	"fmt"

	"gamebots/internal/usererr"
)

// Error is an error in the description of a training.
type Error struct {
	Field Field
	Err   error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// about returns an error in a field of the description, or nil if there is none.
func about(f Field, err error) error {
	if err == nil {
		return nil
	}
	return &Error{f, err}
}

// Field is the part of the description that an [Error] is about.
type Field string

// The fields of an [Error].
const (
	FieldAlgorithm       Field = "algorithm"
	FieldStorage         Field = "storage"
	FieldCards           Field = "abstraction"
	FieldActions         Field = "actions"
	FieldForget          Field = "forget"
	FieldDevice          Field = "device"
	FieldStart           Field = "start"
	FieldPlot            Field = "plot"
	FieldTarget          Field = "target"
	FieldIterations      Field = "iterations"
	FieldOpponent        Field = "opponent-abstraction"
	FieldOpponentActions Field = "opponent-actions"
)

// SaveError is the error of a training that could not save all of its results.
type SaveError struct {
	Checkpoint, Strategy error // nil for what was saved
	// Resumable is how many iterations the checkpoint has that is there, 0 for none.
	Resumable uint64
}

func (e *SaveError) Error() string {
	switch {
	case e.Strategy == nil:
		return e.Checkpoint.Error()
	case e.Checkpoint == nil:
		return e.Strategy.Error()
	}
	return e.Checkpoint.Error() + "; " + e.Strategy.Error()
}

func (e *SaveError) Unwrap() []error { return []error{e.Checkpoint, e.Strategy} }

// TargetError is the error of a training that ended, with a result, before its exploitability was
// that of its goal.
type TargetError struct {
	Exploitability, Target float64
	Unit                   string // chips, or Payoffs
	Iterations             uint64
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("the target of %.4g %s was missed: exploitability is %.4g after %s",
		e.Target, e.Unit, e.Exploitability, usererr.Iterations(e.Iterations))
}

// ErrTooShort is the error of a training that was interrupted after too few iterations
// for a strategy. Its checkpoint is saved.
var ErrTooShort = errors.New("too few iterations for a strategy")
