// Command testreport runs go test with the flags and packages that it is given. It prints what go test prints, and at
// the end the slowest tests and packages:
//
//	go run ./internal/testreport ./acpc/...
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := test(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testreport: go test:", err)
		os.Exit(1)
	}
}

func test(args []string) error {
	// Some tests wait more than they compute: one more package at a time than there are processors, and twice as many
	// tests of a package.
	processors := runtime.GOMAXPROCS(0)
	flags := []string{"test", "-json", "-p", strconv.Itoa(processors + 1), "-parallel", strconv.Itoa(2 * processors)}
	command := exec.Command("go", append(flags, args...)...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	return errors.Join(report(out, os.Stdout), command.Wait())
}

// event is a line of go test -json, which "go doc test2json" describes. Those of a whole package have no Test.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// report prints each package and each test that failed as soon as it has ended, and then the lists.
func report(r io.Reader, w io.Writer) error {
	var tests, packages []event
	output := map[string]map[string]string{} // what has not been printed, by package and test
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(w, lines.Text()) // not of a test, but of go itself
			continue
		}
		switch e.Action {
		case "build-output":
			fmt.Fprint(w, e.Output)
		case "start":
			output[e.Package] = map[string]string{}
		case "output":
			if !strings.HasPrefix(e.Output, "=== ") && e.Output != "PASS\n" {
				output[e.Package][e.Test] += e.Output
			}
		case "pass", "skip", "fail":
			if e.Test == "" {
				packages = append(packages, e)
				// Tests that have not ended were ended by a panic or a timeout.
				for _, unfinished := range slices.Sorted(maps.Keys(output[e.Package])) {
					if unfinished != "" {
						fmt.Fprint(w, output[e.Package][unfinished])
					}
				}
			} else {
				tests = append(tests, e)
			}
			if e.Test == "" || e.Action == "fail" {
				fmt.Fprint(w, output[e.Package][e.Test])
			}
			delete(output[e.Package], e.Test)
		}
	}
	list(w, "slowest tests", 30, tests)
	list(w, "slowest packages", 10, packages)
	return lines.Err()
}

// list prints the n events that took longest, without those of less than a second.
func list(w io.Writer, title string, n int, events []event) {
	events = slices.DeleteFunc(events, func(e event) bool { return e.Elapsed < 1 })
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	if len(events) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s, in seconds:\n", title)
	for _, e := range events[:min(n, len(events))] {
		fmt.Fprintf(w, "%7.1f  %s\n", e.Elapsed, strings.TrimSpace(e.Package+" "+e.Test))
	}
}
