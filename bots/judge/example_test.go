package judge_test

import (
	"context"
	"fmt"

	"gamebots/acpc/money"
	"gamebots/bots/judge"
	"gamebots/configs"
)

// How much a best response wins from a player who always calls, and at least how much a local one does.
func Example() {
	game, err := configs.Game("leduc")
	if err != nil {
		panic(err)
	}
	subject := &judge.Subject{Name: "call", Game: game}
	means := judge.Means{Threads: 2, Memory: 1 << 30}
	plan, err := judge.NewPlan(subject, means)
	if err != nil {
		panic(err)
	}
	fmt.Println("exactly:", plan.Real)

	answer, err := judge.NewAnswer(subject, means)
	if err != nil {
		panic(err)
	}
	defer answer.Close()
	best, err := answer.Exact(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	format, err := money.MB.In(game)
	if err != nil {
		panic(err)
	}
	fmt.Println("exploitability", format.Amount((best[0]+best[1])/2))

	local := judge.LBR{Menu: judge.DefaultMenu(game), Deals: 2000, Seed: 1}
	won, err := local.Play(context.Background(), subject, means, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(format.AtLeast(won.Estimated.Mean(), won.Estimated.Interval95()))
	// Output:
	// exactly: true
	// exploitability 1467 mb
	// at least 1483 mb ± 47.38 mb
}
