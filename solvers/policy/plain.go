package policy

// Plain is a simple strategy that looks at no cards.
type Plain string

const (
	PlainCall  Plain = "call"
	PlainRaise Plain = "raise" // calls where no raise is allowed
	PlainFold  Plain = "fold"  // calls where there is nothing to call
	PlainHalf  Plain = "half"  // raises and calls with half each; calls where no raise is allowed
)

// Plains are all of them.
var Plains = []Plain{PlainCall, PlainRaise, PlainFold, PlainHalf}
