package registry_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/bots/registry"
	"gamebots/bots/spotstudy"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// The page of make web does what the program does, to the bit: the first move of the network, a river, a decision
// of the limit strategy. TestPageInWebAssembly runs this under node.
func TestPageSignature(t *testing.T) {
	want := map[string]string{
		"network": "985ed3a8173f0c576585d4f2f2dc6dd77ae316ecf858bfa1de7d457e601bf66d",
		"river":   "33b8c65b3dbf7e5dcdc1d9bdbfb494f15e79269723be834aa006ca71c8fe4248",
		"limit":   "400e218c0ca2e45679e1170e319a7f032f992ea32bd61fc247d90fca28e4568d",
	}
	check := func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want[name] {
			t.Errorf("%s: %s, want %s: %.300s", name, got, want[name], text)
		}
	}
	network, err := registry.Net(boards.HavannahName)
	if err != nil {
		t.Fatal(err)
	}
	game := &wire.Game{Rules: boards.HavannahName, Options: json.RawMessage(`{"side":5}`)}
	engine, err := havannahbot.Bot(havannahbot.Gumbel{Net: network, Evaluations: 16}).Open(t.Context(), game, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	move, err := engine.Decide(t.Context(), game, hexproto.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	check("network", move)
	// It keeps its time where all goroutines have one thread, as in a browser: two evaluations are least.
	game = &wire.Game{Rules: boards.HavannahName, Options: json.RawMessage(`{"side":8}`),
		Moves: []wire.Move{{Move: "a1"}}}
	engine, err = havannahbot.Bot(havannahbot.Gumbel{Net: network, Time: time.Millisecond}).Open(t.Context(), game, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if move, err = engine.Decide(t.Context(), game, hexproto.Budget{}); err != nil || move.Rated[0].Work > 2 {
		t.Errorf("%v: %+v", err, move)
	}

	var start *spot.Spot
	if _, err := configs.LoadSpot("river-25", []string{"ranges.oop=22+,A2s+", "ranges.ip=KTo+,54s"},
		func(c *configs.Spot) (err error) { start, err = spotstudy.FromSettings(c); return err }); err != nil {
		t.Fatal(err)
	}
	solver, err := spot.New(start, spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		solver.Step()
	}
	node, err := spotstudy.ForPage(solver.Solution(), solver.Solution().At, "b66")
	if err != nil {
		t.Fatal(err)
	}
	check("river", node)

	p, err := policy.Open(filepath.Join("..", "..", "configs", "strategies", "holdem-limit-2p.strategy"), 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	room, err := registry.Poker([]registry.PokerStrategy{{Bot: "cfr", Policy: p}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	room.Library.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet,
		"/strategies/"+p.Tree.Game.Name+"/cfr?at=rc/&board=Ks9d7h", nil))
	check("limit", w.Body.String())
}

// TestPageInWebAssembly runs TestPageSignature, and the tests of gamebots-web, as WebAssembly under node.
func TestPageInWebAssembly(t *testing.T) {
	testkit.SlowOnly(t)
	if _, err := exec.LookPath("node"); err != nil || runtime.GOOS == "js" {
		t.Skip("there is no node, so WebAssembly is not tried")
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-run", "^(TestPageSignature|TestMessages)$",
		"-v", "-exec", runner, ".", "gamebots/cmd/gamebots-web")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPageSignature") ||
		!strings.Contains(string(out), "--- PASS: TestMessages") {
		t.Errorf("%v: %s", err, out)
	}
}
