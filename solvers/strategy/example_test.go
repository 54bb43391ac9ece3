package strategy_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gamebots/solvers/strategy"
)

// Writing a strategy of two decisions, and looking the second one up.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "coin.strategy")

	trained := []float32{0.5, 0.5, 0.25, 0.75}
	meta := strategy.Meta{Game: "coin", GameText: "two sides\n", Algorithm: "cfr+", Iterations: 100}
	err = strategy.Write(path, meta, uint64(len(trained)), func(dst []float32, at uint64) error {
		copy(dst, trained[at:])
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}

	f, err := strategy.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := f.CheckGame("two sides\n"); err != nil {
		log.Fatal(err)
	}
	probabilities := make([]float32, 2)
	if err := f.Read(2, probabilities); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Meta().Algorithm, f.Meta().Iterations, probabilities)
	// Output: cfr+ 100 [0.25 0.75]
}
