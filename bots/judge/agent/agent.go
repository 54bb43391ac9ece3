package agent

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/bots/proc"
	"gamebots/solvers/nash/extensive"
)

// DefaultPatience is how long an answer may take by default.
const DefaultPatience = 10 * time.Second

// Agent is a program that answers questions. It is started for the first of them, once for each that is asked at the
// same time, so its answers must not depend on earlier ones. Any goroutine may use an Agent.
type Agent struct {
	Command   []string
	Game      *acpc.Game      // poker, or
	Extensive *extensive.Game // any other game
	Patience  time.Duration   // for an answer

	mu      sync.Mutex
	all     []*program
	idle    []*program
	name    string
	closing bool
}

// AnswerError reports an answer of an agent.
type AnswerError struct {
	Line Number // the answer's, from 1
	Err  error
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("line %d of the agent's answers: %v", e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

// ErrLate is the error of an answer that takes too long.
var ErrLate = errors.New("no answer")

// Hint returns advice.
func (e *AnswerError) Hint() string {
	if errors.Is(e.Err, ErrLate) {
		return "--set patience=TIME lets an answer take longer"
	}
	return "docs/agents.md says what an agent answers"
}

// Ask asks a question, and sets its ID. A program that fails is ended before Ask returns, and not asked again.
func (a *Agent) Ask(ctx context.Context, q *Question) (*Answer, error) {
	p, err := a.take(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := a.askOne(ctx, p, q, a.Patience)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.idle = append(a.idle, p)
	return answer, nil
}

// errClosed is the error of a question to an agent that is closed.
var errClosed = errors.New("the agent is closed")

// take returns a program that is not at work, a new one if need be.
func (a *Agent) take(ctx context.Context) (*program, error) {
	p, known, err := a.pick()
	if known || err != nil {
		return p, err
	}
	hello := &Question{Protocol: Protocol}
	if a.Game != nil {
		hello.Game, hello.Definition = a.Game.Name, a.Game.String()
	} else {
		hello.Game = a.Extensive.Title
	}
	answer, err := a.askOne(ctx, p, hello, max(a.Patience, startPatience))
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.name = answer.Name
	return p, nil
}

// pick returns a program that is not at work, or starts one, which knows nothing of the game yet.
func (a *Agent) pick() (p *program, known bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return nil, false, errClosed
	}
	if last := len(a.idle) - 1; last >= 0 {
		p, a.idle = a.idle[last], a.idle[:last]
		return p, true, nil
	}
	if p, err = start(a.Command); err == nil {
		a.all = append(a.all, p)
	}
	return p, false, err
}

// askOne asks a program. One that fails is ended, so that there are never more than are asked at the same time.
func (a *Agent) askOne(ctx context.Context, p *program, q *Question, patience time.Duration) (*Answer, error) {
	answer, err := p.ask(ctx, q, patience)
	if err != nil {
		p.close()
		a.mu.Lock()
		defer a.mu.Unlock()
		a.all = slices.DeleteFunc(a.all, func(other *program) bool { return other == p })
	}
	return answer, err
}

// startPatience is the least time for the first answer, before which a program starts.
const startPatience = 30 * time.Second

// Name returns the name that the program gives itself, "" before the first question.
func (a *Agent) Name() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.name
}

// Close ends the programs. Nobody asks any more.
func (a *Agent) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closing = true
	var closing sync.WaitGroup
	for _, p := range a.all {
		closing.Go(p.close)
	}
	closing.Wait()
}

// program is one run of an agent's program, used by one goroutine at a time.
type program struct {
	process *proc.Process
	lines   *bufio.Scanner // what it writes
	asked   Number
}

// maxLine is the longest line of an answer in bytes: 1,326 hands with 20 actions each take less.
const maxLine = 4 << 20

// grace is the time limit of each step of a program's end.
const grace = time.Second

func start(command []string) (*program, error) {
	process, err := proc.Start(command, grace)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(process.Out)
	lines.Buffer(nil, maxLine)
	return &program{process: process, lines: lines}, nil
}

// ask asks a question. After an error the program is not asked again, so one that is late is killed.
func (p *program) ask(ctx context.Context, q *Question, patience time.Duration) (*Answer, error) {
	p.asked++
	q.ID = p.asked
	limited, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("%w within %v", ErrLate, patience))
	defer cancel()
	inTime := context.AfterFunc(limited, p.process.Kill) // ends the exchange, whether it waits to write or to read
	answer, err := p.exchange(q)
	if !inTime() {
		err = context.Cause(limited)
	}
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return nil, cause
	case err != nil:
		return nil, &AnswerError{p.asked, err}
	}
	return answer, nil
}

// exchange writes a line and reads one.
func (p *program) exchange(q *Question) (*Answer, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	_, _ = p.process.In.Write(append(text, '\n')) // the end of its lines says more than this error
	switch {
	case p.lines.Scan():
		return readAnswer(p.lines.Bytes(), q)
	case errors.Is(p.lines.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("longer than %d bytes", maxLine)
	}
	return nil, p.process.Explain(cmp.Or(p.lines.Err(), io.ErrUnexpectedEOF))
}

func (p *program) close() { _ = p.process.Close() }
