package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"gamebots/hexproto/server/database"
)

// ErrMoved is the error of a server whose database was moved, removed or replaced while it ran. It goes on in the file
// that it has open, where nobody would look for the moves that it acknowledges.
var ErrMoved = errors.New("the file of the database was moved, removed or replaced while the server ran")

// moved returns ErrMoved if the path of the database is no longer that of the file that is open.
func (st *store) moved() error {
	now, err := os.Stat(st.path)
	if st.file != nil && (errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(st.file, now)) {
		return fmt.Errorf("%w: %s", ErrMoved, st.path)
	}
	return nil
}

// rescue copies the database that is open beside its old path, because its file may have no name any more.
func (st *store) rescue() error {
	file := st.path + time.Now().Format("-rescued-20060102-150405")
	if err := database.CopyTo(context.Background(), st.writer, file); err != nil {
		st.log.Error("cannot copy what was acknowledged", "rescued", file, "error", err)
		return err
	}
	st.log.Warn("copied and checked all that was acknowledged", "rescued", file)
	return nil
}
