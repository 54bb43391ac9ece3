package ondevice_test

import (
	"context"
	"fmt"
	"log"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// The best responses to a player who always calls in flop hold'em, on all GPUs of a machine.
func ExampleResponses() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	game, err := configs.Game("holdem-limit-flop")
	must(err)
	strategy, err := bestresponse.PlainIn(policy.PlainCall, game, betting.Actions{})
	must(err)
	devices, _, err := cudalib.AllGPUs().OpenAll()
	must(err)
	defer cudalib.CloseAll(devices)

	response := bestresponse.New(strategy)
	values := make([]bestresponse.PartValues, response.Parts())
	must(response.ValueOn(context.Background(), ondevice.Responses(devices...), response.Missing(values), 4,
		func(part int, v bestresponse.PartValues) error {
			values[part] = v
			return nil
		}))
	fmt.Println(response.Total(values))
}
