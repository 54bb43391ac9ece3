package main

import (
	"errors"
	"fmt"
	"os"

	"gamebots/bots/registry"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/hexnet"

	"github.com/spf13/pflag"
)

// writable returns an error if a file cannot be written. It is called before hours of
// training, so that these are not lost.
func writable(path, flag string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another path with "+flag+" FILE")
	}
	return f.Cleanup()
}

// netOf returns the network of a file, nil for "".
func netOf(file string) (*hexnet.Net, error) {
	if file == "" {
		return nil, nil
	}
	return registry.Net(file)
}

// hold keeps other runs of this program from writing a file until release is called.
func hold(path, flag string) (release func(), err error) {
	release, err = atomicfile.Hold(path)
	switch {
	case errors.Is(err, atomicfile.ErrLocked):
		err = usererr.WithHint(fmt.Errorf("%s is being written by another gamebots", path), "wait for its end, or give another path with "+flag+" FILE")
	case err != nil:
		err = usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another path with "+flag+" FILE")
	}
	return release, err
}

// addForce adds the flag --force of commands that call replaceable.
func addForce(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "force", false, "replace an output file that exists")
}

// replaceable returns an error if a file exists that a command would replace, unless it is
// empty or this is forced, and if the path is that of a folder. The flag, if there is one,
// names another file.
func replaceable(path, flag string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case force || info.Size() == 0:
		return nil
	}
	hint := "--force replaces it"
	if flag != "" {
		hint += "; " + flag + " writes to another file"
	}
	return usererr.WithHint(fmt.Errorf("%s exists", path), hint)
}
