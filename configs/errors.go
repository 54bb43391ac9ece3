package configs

import "strconv"

// Error is an error in a configuration file or an override, and its place.
type Error struct {
	File string // path, or CommandLine
	Line int    // from 1, or 0 if the key has no line of its own
	Key  string // "table.key", or "" for the whole file
	Msg  string
	Err  error // the cause, if any
}

// Error returns "file:line: key: message: cause" without the parts that are empty.
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
