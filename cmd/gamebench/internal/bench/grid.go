package bench

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/access"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/grid/remote"
	"gamebots/cmd/internal/cli"
)

// gridLoad is a list of equal jobs.
type gridLoad struct {
	wait      time.Duration // how long each job waits
	perWorker int           // jobs
}

var gridLoads = []gridLoad{
	{wait: 100 * time.Millisecond, perWorker: 50},
	{wait: 10 * time.Millisecond, perWorker: 400},
	{wait: 0, perWorker: 2000},
}

// gridWorkers are the numbers of workers to measure; each does one job at a time.
var gridWorkers = []int{1, 2, 4, 8}

// benchGrid measures the jobs per second of workers. The jobs wait instead of computing,
// so that one machine is enough for all workers. Each worker is a process, which connects over
// loopback.
func benchGrid(ctx context.Context, emit func(Row)) error {
	dir, err := os.MkdirTemp("", "grid")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	const host = "127.0.0.1"
	if _, err := access.MakeKeys(dir, []string{host}); err != nil {
		return err
	}
	keys := access.KeysIn(dir)
	tokens, err := keys.Tokens()
	if err != nil {
		return err
	}
	s, err := remote.Serve(
		access.ServerConfig{Listen: host + ":0", Tokens: tokens, Cert: keys.Cert, Key: keys.Key})
	if err != nil {
		return err
	}
	defer s.Close()
	conn, err := s.Connect(access.AsOwner)
	if err != nil {
		return err
	}
	defer conn.Close()
	program, err := cli.Beside(product)
	if err != nil {
		return err
	}
	version, err := cli.VersionOf(program)
	if err != nil {
		return err
	}
	owner := &remote.Owner{Conn: conn, Version: version, Memory: true}

	var workers gridProcesses
	defer workers.end()
	single := map[time.Duration]float64{} // jobs per second of one worker
	for _, n := range gridWorkers {
		for len(workers) < n {
			if err := workers.add(ctx, program, "work", "--nats", s.URL(), "--keys", dir, "--jobs", "1"); err != nil {
				return err
			}
		}
		// until all workers have found the jobs
		if _, err := timeWaits(ctx, owner, 4*n, 50*time.Millisecond); err != nil {
			return err
		}
		for _, load := range gridLoads {
			took, err := timeWaits(ctx, owner, load.perWorker*n, load.wait)
			if err != nil {
				return err
			}
			rate := float64(load.perWorker*n) / took.Seconds()
			r := Row{Case: fmt.Sprintf("jobs of %v, workers in processes on loopback", load.wait), X: float64(n)}
			if n == 1 {
				single[load.wait] = rate
			}
			emitAll(emit, r, figure{"jobs", rate, "/s"},
				figure{"of linear", rate / single[load.wait] / float64(n), "x"})
		}
	}
	return nil
}

// timeWaits returns the time of n jobs that wait.
func timeWaits(ctx context.Context, g grid.Grid, n int, wait time.Duration) (time.Duration, error) {
	name, spec, done := jobs.NewRun("wait"), []byte(wait.String()), 0
	jobs := func(yield func(grid.Job) bool) {
		for i := range n {
			if !yield(grid.Job{Run: name, Shard: i, Seed: uint64(i), Kind: jobs.WaitKind, Spec: spec}) {
				return
			}
		}
	}
	start := time.Now()
	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		if done++; string(result) != fmt.Sprint(job.Seed) {
			return fmt.Errorf("%v has the result %q", job, result)
		}
		return nil
	})
	if err == nil && done != n {
		err = fmt.Errorf("%d of %d jobs were done", done, n)
	}
	return time.Since(start), err
}

// gridProcesses are the worker processes.
type gridProcesses []*exec.Cmd

// add starts a worker and waits until it has connected to the server.
func (p *gridProcesses) add(ctx context.Context, line ...string) error {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	*p = append(*p, cmd)
	var said strings.Builder
	for lines := bufio.NewScanner(io.TeeReader(out, &said)); lines.Scan(); {
		if strings.Contains(lines.Text(), `"working"`) {
			go func() { _, _ = io.Copy(io.Discard, out) }() // until it ends
			return nil
		}
	}
	_ = cmd.Process.Kill() // if it still runs
	_ = cmd.Wait()         // what it says counts
	return cmp.Or(context.Cause(ctx),
		fmt.Errorf("a worker did not start (%v): %s", cmd.ProcessState, strings.TrimSpace(said.String())))
}

func (p *gridProcesses) end() {
	for _, cmd := range *p {
		_ = cmd.Process.Kill() // its exit status does not matter
		_ = cmd.Wait()
	}
}
