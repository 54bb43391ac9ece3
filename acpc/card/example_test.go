package card_test

import (
	"fmt"

	"gamebots/acpc/card"
)

func Example() {
	ace, err := card.Parse("As")
	if err != nil {
		fmt.Println(err)
		return
	}
	deck := card.Deck(2, 3) // two suits, three ranks
	fmt.Println(deck, card.SetOf(deck...).Has(ace))
	// Output: [Qh Kh Ah Qs Ks As] true
}
