package testkit

import (
	"os"
	"testing"
)

const slowVariable = "GAMEBOTS_SLOW"

// SlowEnabled reports whether the second tier runs.
func SlowEnabled() bool { return os.Getenv(slowVariable) == "1" }

// SlowOnly skips t with a message unless the second tier runs.
func SlowOnly(t testing.TB) {
	t.Helper()
	if !SlowEnabled() {
		t.Skipf("slow: runs with %s=1, as make test-slow does", slowVariable)
	}
}
