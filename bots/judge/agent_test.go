package judge_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gamebots/bots/judge"
	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// TestMain is an agent, too: one of the strategy in a file, or one that acts at random.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if kind, found := strings.CutPrefix(os.Args[1], "bot="); found {
			bot(kind)
			return
		}
		if of, found := strings.CutPrefix(os.Args[1], "agent="); found {
			if dir, found := strings.CutPrefix(of, "wrong="); found {
				answerWrongly(dir)
				return
			}
			var by agent.Answerer = atRandom{}
			if p, err := policy.Open(of, 1<<30, nil); err == nil {
				by = &agent.Strategy{Policy: p, Player: poker.NewPolicyPlayer(p, poker.Style{}, 0).HandStrategy()}
			}
			_ = agent.Serve(context.Background(), os.Stdin, os.Stdout, by)
			return
		}
	}
	os.Exit(m.Run())
}

// atRandom takes all legal actions with the same probability, whatever its hand is.
type atRandom struct{}

func (atRandom) Answer(_ context.Context, q *agent.Question) (*agent.Answer, error) {
	if q.Protocol != "" {
		return &agent.Answer{Name: "random"}, nil
	}
	a := &agent.Answer{Actions: q.Legal, Probabilities: agent.Rows{nil}}
	for range q.Legal {
		a.Probabilities[0] = append(a.Probabilities[0], 1/float64(len(q.Legal)))
	}
	return a, nil
}

// answerWrongly is an agent whose probabilities sum to 0.9. It leaves a file with the name of its process in a folder,
// and another one if there are more than two such agents.
func answerWrongly(dir string) {
	_ = os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600)
	if len(running(dir)) > 2 {
		_ = os.WriteFile(filepath.Join(dir, "crowd"), nil, 0o600)
	}
	for lines, n := bufio.NewScanner(os.Stdin), 1; lines.Scan(); n++ {
		fmt.Printf(`{"id":%d,"actions":["c"],"probabilities":[0.9]}`+"\n", n)
	}
}

// running returns the processes that files in a folder name and that are there: an agent that is killed while it
// starts cannot remove its file.
func running(dir string) (pids []int) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		pid, err := strconv.Atoi(f.Name())
		if err != nil {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil && p.Signal(syscall.Signal(0)) == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// A wrong answer ends a local best response, and is its error. No more programs run than threads, and none afterwards.
func TestWrongAgent(t *testing.T) {
	dir := t.TempDir()
	s := asked(t, "wrong="+dir, "holdem-limit-2p")
	local := judge.LBR{Menu: "fcpa", Deals: 1000}
	_, err := local.Play(t.Context(), s, judge.Means{Threads: 2, Memory: 1 << 30}, nil)
	const want = `^deal \d+: line 2 of the agent's answers: probabilities: they sum to 0.9, not to 1$`
	if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) || usererr.Hint(err) == "" {
		t.Errorf("error %v, want %s", err, want)
	}
	if files, _ := os.ReadDir(dir); len(files) == 0 {
		t.Error("no agent has started")
	}
	if left := running(dir); len(left) > 0 {
		t.Errorf("the agents %v still run", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "crowd")); err == nil {
		t.Error("more than two agents ran at once")
	}
}

// asked returns the subject of an agent of the test binary.
func asked(t *testing.T, of, game string) *judge.Subject {
	t.Helper()
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	s := &judge.Subject{Game: g, Agent: &agent.Agent{
		Command: []string{os.Args[0], "agent=" + of}, Game: g, Patience: time.Minute,
	}}
	t.Cleanup(s.Close)
	return s
}

// The exploitability of uniform play is OpenSpiel's.
func TestUniformAgent(t *testing.T) {
	for game, want := range map[string]float64{"leduc": 2.373611, "kuhn": 11. / 24} {
		plan, err := judge.NewPlan(asked(t, "random", game), judge.Means{Threads: 1, Memory: 1 << 30})
		if err != nil || plan.Abstract == nil {
			t.Fatal(plan, err)
		}
		e, _, err := plan.Abstract.Evaluate(t.Context(), judge.Means{Threads: 1, Memory: 1 << 30})
		if err != nil || math.Abs(e.Exploitability()-want) > 1e-6 {
			t.Errorf("%s: %g, %v; want %g", game, e.Exploitability(), err, want)
		}
	}
	plan, err := judge.NewPlan(asked(t, "random", "holdem-limit-2p"), judge.Means{Threads: 1, Memory: 1 << 30})
	if err != nil || plan.Abstract != nil || !plan.Local ||
		!strings.Contains(plan.Why.Error(), "questions to the agent") {
		t.Errorf("hold'em: %+v, %v", plan, err)
	}
	if _, err := judge.NewPlan(asked(t, "random", "holdem-limit-3p"), judge.Means{Threads: 1}); err == nil {
		t.Error("an agent of hold'em with three players can be judged")
	}
}

// A local best response wins the same from a strategy in a file and from one that is asked.
func TestAskedLocally(t *testing.T) {
	g, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	spec := train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: "lossless", Actions: betting.FCPA}}
	training, err := train.Open(spec, train.Options{Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		training.Step()
	}
	file := filepath.Join(t.TempDir(), "a.strategy")
	if err := training.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	own := &judge.Subject{Name: file, Policy: p, Game: g}
	defer own.Close()
	local := judge.LBR{Menu: "fcpa", Deals: 40, Seed: 3}
	var won [2]*judge.Winnings
	for i, s := range []*judge.Subject{own, asked(t, file, "leduc-nolimit")} {
		if won[i], err = local.Play(t.Context(), s, judge.Means{Threads: 2, Memory: 1 << 30}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if *won[0] != *won[1] || won[0].Won.Mean() == 0 {
		t.Errorf("%+v from the file, %+v if asked", *won[0], *won[1])
	}
}
