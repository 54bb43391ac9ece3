package ranges_test

import (
	"fmt"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
)

func ExampleParse() {
	r, err := ranges.Parse("QQ+, AKs, AKo:0.5, 76s-54s")
	fmt.Println(err)
	r, err = ranges.Parse("QQ+, AKs, AKo:0.5, A5s-A2s")
	if err != nil {
		fmt.Println(err)
		return
	}
	hole, err := card.ParseSet("AsKd")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r, r.Weight(hole))
	// Output:
	// range: "76s-54s": 76s and 54s are not in one line of the table
	// QQ+,AKs,A5s-A2s,AKo:0.5 0.5
}
