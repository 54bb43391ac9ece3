// Command ptx compresses the PTX that "make ptx" has compiled, for the packages
// below it to embed: FAMILY/NAME.ptx becomes FAMILY/NAME.ptx.gz.
//
// PTX is NVIDIA's text for kernels of any GPU. Both forms are committed, so that a
// program is built without a compiler for kernels: the text for reviews, the
// compressed form for the program. The kernels are compiled for compute capability
// 7.0, and so run on every GPU since Volta: its driver compiles them for it. A module
// for tensor cores is compiled for 8.0; its family has another for older GPUs.
//
// Each family of kernels has a package of its own. A program carries the kernels
// of the families that it imports.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ptx FOLDER")
		os.Exit(2)
	}
	if err := compressAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "ptx:", err)
		os.Exit(1)
	}
}

// compressAll compresses FAMILY/NAME.ptx of a folder, for all families and names.
func compressAll(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.ptx"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		packed, err := compress(text)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file+".gz", packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compress returns the same bytes for the same text: without a name and a time.
func compress(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
