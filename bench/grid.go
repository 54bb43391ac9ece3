package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/grid/remote"
	"gamebots/internal/version"

	"github.com/rs/zerolog"
)

// The jobs that benchGrid waits for: how long each is, and how many there are
// for each worker.
var gridJobs = []struct {
	wait time.Duration
	each int
}{{100 * time.Millisecond, 50}, {10 * time.Millisecond, 400}, {0, 2000}}

// gridWorkers are how many workers there are, each of which does a job at a time.
var gridWorkers = []int{1, 2, 4, 8}

// benchGrid emits how many jobs a second workers do that wait instead of
// computing, so that one machine is enough for all of them. Each is a process,
// with a network of its own where the system lets us, and then with keys.
func benchGrid(ctx context.Context, emit func(Row) error) error {
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
	if _, err := remote.MakeKeys(dir, []string{net.host()}); err != nil {
		return err
	}
	keys := remote.KeysIn(dir)
	token, err := keys.ReadToken()
	if err != nil {
		return err
	}
	s, err := remote.Serve(remote.ServerConfig{Listen: net.host() + ":0", Token: token, Cert: keys.Cert, Key: keys.Key})
	if err != nil {
		return err
	}
	defer s.Close()
	conn, err := s.Connect("bench")
	if err != nil {
		return err
	}
	defer conn.Close()
	owner := &remote.Owner{Conn: conn, Version: version.Build(), Memory: true, Log: zerolog.Nop()}

	var workers gridProcesses
	defer workers.end()
	alone := map[time.Duration]float64{}
	for _, n := range gridWorkers {
		for len(workers) < n {
			if err := workers.add(ctx, net.command(len(workers)), "work", "--nats", s.URL(), "--keys", dir, "--jobs", "1"); err != nil {
				return err
			}
		}
		if _, err := timeWaits(ctx, owner, 4*n, 50*time.Millisecond); err != nil { // until all have found the jobs
			return err
		}
		for _, jobs := range gridJobs {
			took, err := timeWaits(ctx, owner, jobs.each*n, jobs.wait)
			if err != nil {
				return err
			}
			rate := float64(jobs.each*n) / took.Seconds()
			r := Row{Case: fmt.Sprintf("jobs of %v, workers in %s", jobs.wait, where), X: float64(n)}
			r.Metric, r.Value, r.Unit = "jobs", rate, "/s"
			if err := emit(r); err != nil {
				return err
			}
			if n == 1 {
				alone[jobs.wait] = rate
			}
			r.Metric, r.Value, r.Unit = "of linear", rate/alone[jobs.wait]/float64(n), "x"
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// timeWaits has jobs done that wait.
func timeWaits(ctx context.Context, g grid.Grid, n int, wait time.Duration) (time.Duration, error) {
	name, spec, done := jobs.NewRun("wait"), []byte(wait.String()), 0
	jobs := func(yield func(grid.Job) bool) {
		for i := range n {
			if !yield(grid.Job{Run: name, Shard: i, Seed: uint64(i), Kind: "wait", Spec: spec}) {
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

// gridProcesses are workers.
type gridProcesses []*exec.Cmd

// add starts a worker by a command before its own, and waits until it is at the
// server.
func (p *gridProcesses) add(ctx context.Context, before []string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	line := append(append(before[:len(before):len(before)], self), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	*p = append(*p, cmd)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"working"`) {
			go io.Copy(io.Discard, out) // until it ends
			return nil
		}
	}
	return cmp.Or(lines.Err(), errors.New("a worker did not start: "+lines.Text()))
}

func (p *gridProcesses) end() {
	for _, cmd := range *p {
		_ = cmd.Process.Kill() // and nothing depends on how it ends
		_ = cmd.Wait()
	}
}

// gridNet is a bridge of this machine with a network namespace on it for each
// worker. The nil net is loopback, for all.
type gridNet struct {
	name   string
	spaces []string
}

// gridAddress begins the addresses of a bench, which are of the range for that
// purpose (RFC 2544).
const gridAddress = "198.18.77."

// newGridNet makes a net. It takes the rights of an administrator and the
// program ip of Linux.
func newGridNet(ctx context.Context, n int) (net *gridNet, err error) {
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
		space := fmt.Sprintf("%sn%d", net.name, i)
		ip("netns add " + space)
		if err == nil {
			net.spaces = append(net.spaces, space)
		}
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

// host is the address of the server.
func (n *gridNet) host() string {
	if n == nil {
		return "127.0.0.1"
	}
	return gridAddress + "1"
}

// command is what starts a program in the space of a worker.
func (n *gridNet) command(worker int) []string {
	if n == nil {
		return nil
	}
	return []string{"ip", "netns", "exec", n.spaces[worker]}
}

// close takes the net down again; what is not there is not missed.
func (n *gridNet) close() {
	if n == nil {
		return
	}
	for _, space := range n.spaces {
		_ = exec.Command("ip", "netns", "del", space).Run()
	}
	_ = exec.Command("ip", "link", "del", n.name).Run()
}
