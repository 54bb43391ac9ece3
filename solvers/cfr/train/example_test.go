package train_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
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

func ExampleParseAlgorithm() {
	for _, text := range []string{"dcfr", "linear-public(64)", "deals", "cfr+/16"} {
		a, err := train.ParseAlgorithm(text)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Printf("%v: vector form %t, batches of %d\n", a, a.IsVector(), a.Batch())
	}
	// Output:
	// dcfr(1.5,0,2): vector form true, batches of 1
	// linear-public(64): vector form false, batches of 64
	// deals(8): vector form false, batches of 8
	// cfr+/16: vector form true, batches of 1
}
