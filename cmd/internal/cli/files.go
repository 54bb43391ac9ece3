package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// Writable returns an error if a file cannot be written, if there is one. It is called before hours of
// training, so that these are not lost.
func Writable(path, flag string) error {
	if path == "" {
		return nil
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another path with "+flag+" FILE")
	}
	return f.Cleanup()
}

// Hold keeps other runs of this program from writing a file until release is called.
func Hold(path, flag string) (release func(), err error) {
	release, err = atomicfile.Hold(path)
	switch {
	case errors.Is(err, atomicfile.ErrLocked):
		err = usererr.WithHint(fmt.Errorf("%s is being written by another gamebots", path),
			"wait for its end, or give another path with "+flag+" FILE")
	case err != nil:
		err = usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another path with "+flag+" FILE")
	}
	return release, err
}

// Reader returns a reader that fails with the cause of the end of ctx, so that what reads a long file ends.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
		return r.Read(p)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// WriteOutput writes a file whole or not at all, or standard output if there is none.
func WriteOutput(stdout io.Writer, path string, write func(w io.Writer) error) error {
	if path == "" {
		return write(stdout)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Commit()
	}
	return errors.Join(err, file.Cleanup())
}

// Replaceable returns an error if a file exists that a command would replace, unless it is
// empty or this is forced, and if the path is that of a folder. The flag, if there is one,
// names another file, and an error says as well that a file cannot be written.
func Replaceable(path, flag string, force bool) error {
	name, _, named := strings.Cut(flag, " ")
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case err == nil && !force && info.Size() > 0: // told below
	case named:
		return Writable(path, name)
	default:
		//lint:ignore nilerr there is no file, or writing it tells why not
		return nil
	}
	hint := "--force replaces it"
	if flag != "" {
		hint += "; " + flag + " writes to another file"
	}
	return usererr.WithHint(fmt.Errorf("%s exists", path), hint)
}
