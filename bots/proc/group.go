package proc

import (
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

// Group is a running program with its children. Any goroutine may use it.
type Group struct {
	Pid int

	mark   string // variable in the environment of the program and its children
	ended  chan struct{}
	err    error // error of the program, set before ended is closed
	stderr tail
}

// StartGroup starts a program in a process group of its own, so that signals reach
// its children too. On Linux, Kill reaches also those that have left the group. It keeps the
// end of what the program writes to standard error. Linux kills the program when this
// process ends, however that happens.
func StartGroup(cmd *exec.Cmd) (*Group, error) {
	g := &Group{mark: mark(cmd), ended: make(chan struct{})}
	cmd.Stderr = &g.stderr
	setProcessGroup(cmd)
	started := make(chan error)
	go func() {
		// For Linux, the parent is the thread that starts a program. The runtime
		// may end a thread at any time, so this one is locked.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			g.Pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			g.err = cmd.Wait()
			close(g.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return g, nil
}

// Ended returns a channel that is closed when the program has ended; its children
// may still run.
func (g *Group) Ended() <-chan struct{} { return g.ended }

// Err waits for the program's end and returns the error of [exec.Cmd.Wait].
func (g *Group) Err() error {
	<-g.ended
	return g.err
}

// LastErrors returns up to n of the last lines of standard error.
func (g *Group) LastErrors(n int) string {
	lines := strings.Split(strings.TrimSpace(g.stderr.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize is how many bytes a tail keeps.
const tailSize = 4 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if extra := len(t.text) - tailSize; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
