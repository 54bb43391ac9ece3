package configs

import "strconv"

// Error is one thing wrong in a configuration, and where.
type Error struct {
	File string // path, or CommandLine
	Line int    // from 1, or 0 where the key stands in no line of its own
	Key  string // "table.key", or "" for the whole file
	Msg  string
	Err  error // the cause, where there is one
}

// Error returns "file:line: key: message: cause" without what is not known.
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	for _, part := range []string{e.Key, e.Msg} {
		if part != "" && s != "" {
			s += ": "
		}
		s += part
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
