package proc

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"gamebots/internal/shutdown"
)

// Process is a running program with pipes to it. Any goroutine may call Close, any
// number of times.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser

	*Group
	grace time.Duration
	once  sync.Once
}

// Start starts a command. Grace is the time limit of each step of its end, which is shorter once this program itself is
// to end.
func Start(command []string, grace time.Duration) (*Process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.WaitDelay = max(grace, time.Millisecond) // for children that keep the pipes open; 0 would be no limit
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// Not StdoutPipe, which Wait closes, and the last answer would be lost.
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

// Close ends the process: it closes the input, terminates the group, and then kills
// it. It returns when the program has ended.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.In.Close()
		defer p.Out.Close() // the rest is not read
		for _, end := range []func(){p.Terminate, p.Kill} {
			if shutdown.Wait(p.ended, p.grace) {
				p.Kill() // its children
				return
			}
			end()
		}
		p.Out.Close() // a blocked write would keep Wait from returning
		<-p.ended
	})
	<-p.ended
	return nil
}

// Explain adds the program's exit and its last errors to an error, if it has ended.
func (p *Process) Explain(err error) error {
	select {
	case <-p.ended:
	case <-time.After(50 * time.Millisecond): // it runs
		return err
	}
	err = fmt.Errorf("%w: %w", err, errExited)
	if p.err != nil {
		err = fmt.Errorf("%w: %w", err, p.err)
	}
	if last := p.LastErrors(3); last != "" {
		err = fmt.Errorf("%w: %s", err, last)
	}
	return err
}

var errExited = errors.New("it has ended")
