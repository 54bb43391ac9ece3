package proc

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Process is a running program, with pipes to it. Close may be called from any
// goroutine and any number of times.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser

	*Group
	grace time.Duration
	once  sync.Once
}

// Start starts a command. Grace is the time for each step of its end.
func Start(command []string, grace time.Duration) (*Process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.WaitDelay = max(grace, time.Millisecond) // for children that keep the pipes open; 0 would be for ever
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// Not StdoutPipe: Wait closes that, and the last answer with it.
	out, w := io.Pipe()
	cmd.Stdout = w
	group, err := StartGroup(cmd)
	if err != nil {
		return nil, err
	}
	go func() {
		<-group.ended
		w.Close()
	}()
	return &Process{In: in, Out: out, Group: group, grace: grace}, nil
}

// Close ends the process: first its input ends, then the group is asked, then
// killed. It returns when nobody is left.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.In.Close()
		defer p.Out.Close() // nobody reads what is left
		for _, urge := range []func(){p.Terminate, p.Kill} {
			select {
			case <-p.ended:
				p.Kill() // its children
				return
			case <-time.After(p.grace):
				urge()
			}
		}
		p.Out.Close() // a write to it would keep Wait waiting
		<-p.ended
	})
	<-p.ended
	return nil
}

// explain adds what the program said last to an error that comes of its end.
func (p *Process) explain(err error) error {
	select {
	case <-p.ended:
	case <-time.After(50 * time.Millisecond): // it lives
		return err
	}
	err = fmt.Errorf("%w: %w", err, errExited)
	if p.err != nil {
		err = fmt.Errorf("%w: %w", err, p.err)
	}
	if said := p.LastErrors(3); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return err
}

var errExited = errors.New("it has ended")
