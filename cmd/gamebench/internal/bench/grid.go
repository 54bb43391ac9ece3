package bench

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/access"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/grid/remote"
	"gamebots/cmd/internal/cli"

	"github.com/rs/zerolog"
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
// so that one machine is enough for all workers. Each worker is a process, in a network
// namespace of its own if the system allows that.
func benchGrid(ctx context.Context, emit func(Row)) error {
	dir, err := os.MkdirTemp("", "grid")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	net, err := newGridNet(ctx, gridWorkers[len(gridWorkers)-1])
	where := "network namespaces"
	if err != nil {
		where = "processes on loopback"
		zerolog.Ctx(ctx).Warn().Err(err).Msg("no network namespaces: measuring on loopback")
	}
	defer net.close()
	if _, err := access.MakeKeys(dir, []string{net.host()}); err != nil {
		return err
	}
	keys := access.KeysIn(dir)
	tokens, err := keys.Tokens()
	if err != nil {
		return err
	}
	s, err := remote.Serve(
		access.ServerConfig{Listen: net.host() + ":0", Tokens: tokens, Cert: keys.Cert, Key: keys.Key})
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
			if err := workers.add(ctx, append(net.command(len(workers)), program, "work", "--nats", s.URL(), "--keys",
				dir, "--jobs", "1")...); err != nil {
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
			r := Row{Case: fmt.Sprintf("jobs of %v, workers in %s", load.wait, where), X: float64(n)}
			r.Metric, r.Value, r.Unit = "jobs", rate, "/s"
			emit(r)
			if n == 1 {
				single[load.wait] = rate
			}
			r.Metric, r.Value, r.Unit = "of linear", rate/single[load.wait]/float64(n), "x"
			emit(r)
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

// gridNet is a network bridge of this machine with a network namespace for each worker. A
// nil gridNet is loopback.
type gridNet struct {
	name   string
	spaces []string
}

// gridAddress is the prefix of the addresses, from the range for benchmarks (RFC 2544).
const gridAddress = "198.18.77."

// newGridNet creates a network of n namespaces. It needs root and the Linux program ip.
func newGridNet(ctx context.Context, n int) (net *gridNet, err error) {
	removeAbandonedNets()
	net = &gridNet{name: fmt.Sprintf("gb%d", os.Getpid())}
	ip := func(args string) {
		if err != nil {
			return
		}
		var text []byte
		if text, err = exec.CommandContext(ctx, "ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			err = fmt.Errorf("ip %s: %w: %s", args, err, strings.TrimSpace(string(text)))
		}
	}
	ip("link add " + net.name + " type bridge")
	ip("addr add " + gridAddress + "1/24 dev " + net.name)
	ip("link set " + net.name + " up")
	for i := range n {
		if err != nil {
			break
		}
		space := fmt.Sprintf("%sn%d", net.name, i)
		net.spaces = append(net.spaces, space) // even if its creation is interrupted
		ip("netns add " + space)
		ip(fmt.Sprintf("link add %sv%d type veth peer name eth0 netns %s", net.name, i, space))
		ip(fmt.Sprintf("link set %sv%d master %s up", net.name, i, net.name))
		ip(fmt.Sprintf("-n %s addr add %s%d/24 dev eth0", space, gridAddress, i+2))
		ip(fmt.Sprintf("-n %s link set eth0 up", space))
	}
	if err != nil {
		net.close()
		return nil, err
	}
	return net, nil
}

// removeAbandonedNets deletes the networks of processes that were killed.
func removeAbandonedNets() {
	list, _ := exec.Command("ip", "netns", "list").Output() // without the program there are none
	for _, space := range regexp.MustCompile(`(?m)^gb(\d+)n\d+`).FindAllStringSubmatch(string(list), -1) {
		if _, err := os.Stat("/proc/" + space[1]); err != nil {
			(&gridNet{"gb" + space[1], space[:1]}).close()
		}
	}
}

// host returns the address of the server.
func (n *gridNet) host() string {
	if n == nil {
		return "127.0.0.1"
	}
	return gridAddress + "1"
}

// command returns the command that starts a program in the namespace of a worker.
func (n *gridNet) command(worker int) []string {
	if n == nil {
		return nil
	}
	return []string{"ip", "netns", "exec", n.spaces[worker]}
}

// close deletes the network, as far as it was created.
func (n *gridNet) close() {
	if n == nil {
		return
	}
	for _, space := range n.spaces {
		_ = exec.Command("ip", "netns", "del", space).Run()
	}
	_ = exec.Command("ip", "link", "del", n.name).Run()
}
