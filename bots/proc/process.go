package proc

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Process is a running program, with pipes to it. Close may be called from any
// goroutine and any number of times.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser

	cmd    *exec.Cmd
	grace  time.Duration
	stderr tail
	ended  chan struct{}
	err    error // of the process, set before ended is closed
	once   sync.Once
}

// Start starts a command in a process group of its own. Grace is the time for
// each step of its end.
func Start(command []string, grace time.Duration) (*Process, error) {
	p := &Process{cmd: exec.Command(command[0], command[1:]...), grace: grace, ended: make(chan struct{})}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = grace // for children that keep the pipes open
	OwnGroup(p.cmd)
	var err error
	if p.In, err = p.cmd.StdinPipe(); err == nil {
		// Not StdoutPipe: Wait closes that, and the last answer with it.
		r, w := io.Pipe()
		p.Out, p.cmd.Stdout = r, w
		if err = p.cmd.Start(); err == nil {
			go func() {
				p.err = p.cmd.Wait()
				w.Close()
				close(p.ended)
			}()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	return p, nil
}

// Close ends the process: first its input ends, then the group is asked, then
// killed. It returns when nobody is left.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.In.Close()
		defer p.Out.Close() // nobody reads what is left
		for _, urge := range []func(*exec.Cmd){AskGroup, KillGroup} {
			select {
			case <-p.ended:
				KillGroup(p.cmd) // its children
				return
			case <-time.After(p.grace):
				urge(p.cmd)
			}
		}
		p.Out.Close() // a write to it would keep Wait waiting
		<-p.ended
	})
	<-p.ended
	return nil
}

// failure adds what the program said last to an error that comes of its end.
func (p *Process) failure(err error) error {
	select {
	case <-p.ended:
	case <-time.After(50 * time.Millisecond): // it lives
		return err
	}
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	return fmt.Errorf("%w: %w: %s", err, errors.Join(errExited, p.err), strings.Join(lines[max(0, len(lines)-3):], "; "))
}

var errExited = errors.New("it has ended")

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
