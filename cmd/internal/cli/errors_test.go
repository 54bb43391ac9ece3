package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// A file is named once.
func TestText(t *testing.T) {
	open := &fs.PathError{Op: "open", Path: "a/b", Err: fs.ErrNotExist}
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("cannot write a/b: %w; sorry", open), "cannot write a/b: file does not exist; sorry"},
		{fmt.Errorf("--svg: %w", open), "--svg: open a/b: file does not exist"},
		{fmt.Errorf("a/b: its checkpoint: %v", open), "a/b: its checkpoint: open a/b: file does not exist"},
		{errors.New("disk full"), "disk full"},
	} {
		if got := text(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
