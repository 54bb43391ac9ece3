// Package slowtest tells a test whether its slow parts run.
//
// The first tier of the tests is what everybody runs before a commit: all that a test shows, with small sizes. The
// second tier, selected by GAMEBOTS_SLOW=1, adds what takes long: large sizes, and repetitions under other tools.
// "make test-slow" and ".ci/run" run it.
package slowtest

import (
	"os"
	"testing"
)

const variable = "GAMEBOTS_SLOW"

// Enabled reports whether the second tier runs.
func Enabled() bool { return os.Getenv(variable) == "1" }

// Only skips t with a message unless the second tier runs.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skipf("slow: runs with %s=1, as make test-slow does", variable)
	}
}
