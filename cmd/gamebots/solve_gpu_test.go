//go:build linux

package main

import (
	"strings"
	"testing"
)

// What is solved on the CPU says why, also beside a GPU.
func TestSolvePlacement(t *testing.T) {
	const snake = "solve snake --dimension 4 --threads 2 --json --runs "
	for _, test := range []struct{ settings, line, says string }{
		{"", snake + "20", `"device":"2 threads of the CPU: a GPU gains from 1000 runs on"`},
		{"", snake + "20 --device cpu", `"device":"2 threads of the CPU, as asked for"`},
		{"devices=0", snake + "1000 --level 1", `"device":"2 threads of the CPU: `},
		{"", "solve nim 1,3 --json", `"device":"the CPU: the board's table is small"`},
		{"", "solve nim 1,3 --json --depth 2", `"device":"the CPU: a GPU gains from 11 plies on, by v1 to v5"`},
		{"", "solve nim 1,3 --json --device cpu", `"device":"the CPU, as asked for"`},
		{"devices=0", "solve nim 1,3 --json --depth 11", `"device":"the CPU: `},
	} {
		out, _ := withDriver(t, test.settings, strings.Fields(test.line)...).CombinedOutput()
		if !strings.Contains(string(out), test.says) {
			t.Errorf("%s: %s; want %s", test.line, out, test.says)
		}
	}
}
