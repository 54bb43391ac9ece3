package usererr

import (
	"errors"
	"fmt"
)

type hinted struct {
	error
	hint string
}

func (h hinted) Hint() string  { return h.hint }
func (h hinted) Unwrap() error { return h.error }

// WithHint returns err with advice for the user.
func WithHint(err error, hint string) error { return hinted{err, hint} }

// HintIf is [WithHint] for an error that is a target; others it returns as they are.
func HintIf(err, target error, hint string) error {
	if errors.Is(err, target) {
		return WithHint(err, hint)
	}
	return err
}

// Hint returns the advice that comes with an error, or "".
func Hint(err error) string {
	if h := (interface{ Hint() string })(nil); errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// Usage marks err as an error of the command line: the command did not start.
func Usage(err error) error { return usage{err} }

// Usagef returns an error of the command line.
func Usagef(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

// IsUsage reports whether err is, or wraps, an error of the command line.
func IsUsage(err error) bool { return errors.As(err, new(usage)) }
