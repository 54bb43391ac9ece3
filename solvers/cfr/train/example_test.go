package train_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/policy"
)

// A training by name, with checkpoints beside its strategy file.
func Example() {
	folder, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	game, err := configs.Game("kuhn")
	if err != nil {
		panic(err)
	}
	algorithm, err := train.ParseAlgorithm("cfr+")
	if err != nil {
		panic(err)
	}
	job := train.Job{Spec: train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "lossless"}, Algorithm: algorithm}}
	job.File = filepath.Join(folder, "kuhn.strategy")
	job.OnBegin = func(s *train.Session, _ string, resumed bool) {
		fmt.Printf("resumed %t after %d iterations\n", resumed, s.Iterations())
	}
	for _, iterations := range []uint64{100, 1000} { // the second run resumes the first
		job.Goal.Iterations = iterations
		r, err := train.Run(context.Background(), job)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d iterations of %s: exploitability %.4f chips\n", r.Iterations, r.Algorithm, *r.Exploitability)
	}
	// Output:
	// resumed false after 0 iterations
	// 100 iterations of cfr+: exploitability 0.0012 chips
	// resumed true after 100 iterations
	// 1000 iterations of cfr+: exploitability 0.0001 chips
}

// guess has the rules of a game of one's own: the first player hides a coin in one of three hands, of which the second
// opens one. The third hand is worth two. A position is what both did.
type guess struct{}

var hands = []string{"left", "right", "third"}

func (guess) Start() []int { return nil }

func (guess) Describe(did []int) extensive.Turn {
	switch {
	case len(did) < 2: // the second player has seen nothing
		return extensive.Turn{Player: len(did), Set: "coin", Actions: hands}
	case did[0] == did[1]:
		won := int64(1 + did[0]/2)
		return extensive.Turn{Payoffs: []*big.Rat{big.NewRat(-won, 1), big.NewRat(won, 1)}}
	}
	return extensive.Turn{Payoffs: []*big.Rat{new(big.Rat), new(big.Rat)}}
}

func (guess) Next(did []int, action int) []int { return append(slices.Clone(did), action) }

// The rules of a game of one's own are all that a training needs, with its target, curve and file. The file, and the
// game written by [extensive.Game.EFG], are for gamebots show, evaluate and policy.
func ExampleTree() {
	folder, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	game, err := extensive.Build("coin", []string{"hides", "guesses"}, guess{})
	if err != nil {
		panic(err)
	}
	job := train.Job{Spec: train.Spec{Tree: &train.Tree{Game: game}}}
	job.File = filepath.Join(folder, "coin.profile.json")
	job.Goal.Exploitability = 1e-6
	r, err := train.Run(context.Background(), job)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s by %s: the first player wins %.4f, exploitability below a millionth: %t\n", r.Game, r.Algorithm,
		r.Values[0], *r.Exploitability < 1e-6)
	text, err := os.ReadFile(job.File)
	if err != nil {
		panic(err)
	}
	stored, err := extensive.ReadProfile(job.File, text)
	if err != nil {
		panic(err)
	}
	profile, err := stored.Of(game)
	if err != nil {
		panic(err)
	}
	for a, p := range profile[0] {
		x, _ := p.Float64()
		fmt.Printf("%s %.3f\n", hands[a], x)
	}
	// Output:
	// coin by sapcfr+: the first player wins -0.4000, exploitability below a millionth: true
	// left 0.400
	// right 0.400
	// third 0.200
}

func ExampleParseAlgorithm() {
	for _, text := range []string{"dcfr", "linear-external(64)", "deals", "cfr+/16"} {
		a, err := train.ParseAlgorithm(text)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Printf("%v: vector form %t, batches of %d\n", a, a.IsVector(), a.Batch())
	}
	// Output:
	// dcfr(1.5,0,2): vector form true, batches of 1
	// linear-external(64): vector form false, batches of 64
	// deals(8): vector form false, batches of 8
	// cfr+/16: vector form true, batches of 1
}
