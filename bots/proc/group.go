package proc

import (
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

// Group is a running program and all that it starts. Any goroutine may use it.
type Group struct {
	Pid int

	ended  chan struct{}
	err    error // of the program, set before ended is closed
	stderr tail
}

// StartGroup starts a program in a process group of its own, so that signals
// reach what it starts as well. What it writes to standard error is kept in part.
// Under Linux the program is killed when this process ends, however that comes.
func StartGroup(cmd *exec.Cmd) (*Group, error) {
	g := &Group{ended: make(chan struct{})}
	cmd.Stderr = &g.stderr
	setProcessGroup(cmd)
	started := make(chan error)
	go func() {
		// Linux takes the thread that starts a program for its parent. Threads
		// end here and there, so this one is kept.
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

// Ended is closed when the program has ended, not what it started.
func (g *Group) Ended() <-chan struct{} { return g.ended }

// Err returns how the program ended, as [exec.Cmd.Wait] tells, once it has.
func (g *Group) Err() error {
	<-g.ended
	return g.err
}

// LastErrors returns the last lines that were written to standard error, at most n.
func (g *Group) LastErrors(n int) string {
	lines := strings.Split(strings.TrimSpace(g.stderr.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize is how many bytes of it: a few lines, however long a program talks.
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
