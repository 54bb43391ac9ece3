//go:build linux

package cudatest

import (
	"testing"
	"testing/fstest"
)

// After a change of a kernel its family is compiled again, and nothing else; after one of what all
// kernels share, everything is.
func TestChangeCompilesItsFamily(t *testing.T) {
	folder := fstest.MapFS{
		"cfr/train.cu":   {Data: []byte("__global__ void train(u32 x) {}\n")},
		"cfr/common.cuh": {Data: []byte("// shared by a family\n")},
		"nim/nim.cu":     {Data: []byte("__global__ void nim(u32 x) {}\n")},
	}
	keys := func() (all []string) {
		files, err := binary{source: "fake.cpp", folder: folder}.files()
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range unitsOf(files, "fake.cpp", "host.cpp") {
			all = append(all, host().cacheKey([]string{u.source}, u.files))
		}
		return all
	}
	before := keys()
	if len(before) != 4 {
		t.Fatalf("%d units, want two of the driver and two families", len(before))
	}
	for _, test := range []struct {
		file    string
		changes []bool // whether it changes, by unit
	}{
		{"nim/nim.cu", []bool{false, false, false, true}},
		{"cfr/common.cuh", []bool{false, false, true, false}},
		{"host.cuh", []bool{true, true, true, true}},
	} {
		old := folder[test.file]
		folder[test.file] = &fstest.MapFile{Data: []byte("// changed\n")}
		for i, key := range keys() {
			if changed := key != before[i]; changed != test.changes[i] {
				t.Errorf("a change of %s: unit %d is compiled again: %v, want %v", test.file,
					i, changed, test.changes[i])
			}
		}
		if folder[test.file] = old; old == nil {
			delete(folder, test.file)
		}
	}
}
