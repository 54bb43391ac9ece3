package shutdown

import (
	"testing"
	"time"
)

func TestInhibited(t *testing.T) {
	check := func(want string) {
		t.Helper()
		if got := Inhibited(); got != want {
			t.Errorf("inhibited by %q, want %q", got, want)
		}
	}
	check("")
	first, second := Inhibit("training"), Inhibit("writing a")
	third := Inhibit("writing a") // another file of the same name
	check("writing a")
	second()
	second()
	check("writing a")
	third()
	check("training")
	first()
	check("")
}

// Once the program is to end no wait is long, not even one that has begun.
func TestWait(t *testing.T) {
	done, never := make(chan struct{}), make(chan struct{})
	close(done)
	check := func() {
		t.Helper()
		if !Wait(done, time.Hour) || Wait(never, time.Millisecond) {
			t.Error("a wait does not tell whether the other program is done")
		}
	}
	check()
	late := make(chan bool)
	go func() { late <- Wait(never, time.Hour) }()
	Begin()
	Begin()
	if <-late || Wait(never, time.Hour) {
		t.Error("nothing was done")
	}
	check()
}
