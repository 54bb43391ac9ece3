// Train trains Leduc poker by counterfactual regret minimisation, writes leduc.strategy, and asks it what to do with a
// king that was raised. After an interruption it continues from the file.
//
//	go run ./examples/train
package main

import (
	"context"
	"fmt"
	"log"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

func main() {
	game, err := configs.Game("leduc")
	check(err)
	job := train.Job{
		Spec:    train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "lossless"}},
		Options: train.Options{Threads: 2},
	}
	job.File, job.Goal.Iterations = "leduc.strategy", 200
	result, err := train.Run(context.Background(), job) // goes on after an interruption
	check(err)
	fmt.Printf("%s, %d information sets, exploitability %.4f chips a hand\n",
		result.Algorithm, result.InfoSets, *result.Exploitability)

	p, err := policy.Open("leduc.strategy", 1<<30, nil)
	check(err)
	defer p.Close()
	// The first position holds a king, has raised, and was raised.
	state, _, err := game.ParseMatchState("MATCHSTATE:0:0:rr:Ks|")
	check(err)
	choices, err := p.Choices(nil, &state.State)
	check(err)
	for _, c := range choices {
		fmt.Printf("%v %.3f\n", c.Action, c.Probability)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
