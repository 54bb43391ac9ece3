package tabular_test

import (
	"context"
	"fmt"
	"math/big"

	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
)

// inspection has the rules of a game of one's own. A smuggler, who sees the weather, may
// go; an inspector, who does not, may look out. A position is what happened, as in "fog,go".
type inspection struct{}

func (inspection) Start() string { return "" }

func (inspection) Next(position string, action int) string {
	next := inspection{}.Describe(position).Actions[action]
	if position == "" {
		return next
	}
	return position + "," + next
}

func (inspection) Describe(position string) extensive.Turn {
	pay := func(smuggler int64) extensive.Turn {
		return extensive.Turn{Payoffs: []*big.Rat{big.NewRat(smuggler, 1), big.NewRat(-smuggler, 1)}}
	}
	switch position {
	case "":
		return extensive.Turn{Player: extensive.Chance, Actions: []string{"fog", "sun"},
			Probabilities: []*big.Rat{big.NewRat(1, 4), big.NewRat(3, 4)}}
	case "fog", "sun":
		return extensive.Turn{Player: 0, Set: position, Actions: []string{"go", "stay"}}
	case "fog,go", "sun,go":
		return extensive.Turn{Player: 1, Set: "on duty", Actions: []string{"look", "sleep"}}
	case "fog,go,look":
		return pay(2)
	case "sun,go,look":
		return pay(-2)
	case "fog,go,sleep", "sun,go,sleep":
		return pay(1)
	}
	return pay(0) // the smuggler stays
}

// A game of one's own is trained, and its strategies are valued exactly.
func Example() {
	g, err := extensive.Build("inspection", []string{"smuggler", "inspector"}, inspection{})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := g.Sequences()
	if err != nil {
		fmt.Println(err)
		return
	}
	trainer, err := tabular.New(q, tabular.Algorithms()[0], 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 {
		trainer.Step()
	}
	s := trainer.Profile()
	gains, err := q.Gains(context.Background(), s, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	for set := range g.Sets {
		for action, p := range s[set] {
			x, _ := p.Float64()
			fmt.Printf("%s: %s %.2f\n", g.SetName(set), g.ActionNames(set)[action], x)
		}
	}
	first, _ := gains[0].Float64()
	second, _ := gains[1].Float64()
	fmt.Printf("a better strategy gains at most %.3f and %.3f\n", first, second)
	// Output:
	// fog: go 1.00
	// fog: stay 0.00
	// "on duty": look 0.33
	// "on duty": sleep 0.67
	// sun: go 0.11
	// sun: stay 0.89
	// a better strategy gains at most 0.000 and 0.000
}
