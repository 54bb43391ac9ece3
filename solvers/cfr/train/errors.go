package train

// Error is an error in the description of a training.
type Error struct {
	Field Field
	Err   error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Field is the part of the description that an [Error] is about.
type Field string

// The fields of an [Error].
const (
	FieldAlgorithm Field = "algorithm"
	FieldBatch     Field = "batch"
	FieldStorage   Field = "storage"
	FieldActions   Field = "actions"
	FieldDevice    Field = "device"
)

// SaveError is the error of a training that could not be saved. The last checkpoint
// is still there.
type SaveError struct{ Err error }

func (e *SaveError) Error() string { return e.Err.Error() }
func (e *SaveError) Unwrap() error { return e.Err }
