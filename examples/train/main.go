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
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

func main() {
	game, err := configs.Game("leduc")
	check(err)
	spec := train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "lossless"}}
	training, err := train.Open(spec, train.Options{Threads: 2})
	check(err)
	defer training.Close()

	session := train.NewSession(training, train.SessionOptions{
		File: "leduc.strategy", Goal: train.Goal{Iterations: 200}, Schedule: checkpoint.DefaultSchedule,
	})
	_, err = session.Resume() // after an interruption
	check(err)
	_, err = session.Run(context.Background())
	check(err)
	fmt.Printf("%s, %d information sets, exploitability %.4f chips a hand\n",
		training.Algorithm(), training.InfoSets, training.Evaluate().Exploitability())

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
