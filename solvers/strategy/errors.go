package strategy

import "errors"

// The reasons for which a file is refused. The errors of this package wrap them and add
// the file and the details.
var (
	ErrForeign   = errors.New("not a strategy file")
	ErrVersion   = errors.New("strategy file of an unknown version")
	ErrTruncated = errors.New("strategy file cut short")
	ErrCorrupt   = errors.New("strategy file corrupt")
	ErrOtherGame = errors.New("strategy of another game")
)
