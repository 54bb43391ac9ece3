package checkpoint

import "errors"

// The reasons for which a file is refused. The errors of Read wrap them and add the
// file and the details.
var (
	ErrForeign       = errors.New("not a checkpoint")
	ErrVersion       = errors.New("checkpoint of an unknown version")
	ErrTruncated     = errors.New("checkpoint cut short")
	ErrCorrupt       = errors.New("checkpoint corrupt")
	ErrOtherTraining = errors.New("checkpoint of another training")
)

// The reasons for which [Claim] refuses a file that exists.
var (
	ErrOccupied     = errors.New("exists")
	ErrNoCheckpoint = errors.New("has no checkpoint to continue from")
)
