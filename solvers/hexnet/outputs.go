package hexnet

import "gamebots/internal/portable"

// Unit is the value of a plane that the network sees as 1.
const Unit = 8

// Outputs are a network's answers for a batch of boards, flat: board by board, and of a
// board cell by cell. Logits are before softmax or the logistic function.
type Outputs struct {
	Policy []float32 // logits of the moves
	Reply  []float32 // logits of the opponent's next move
	Own    []float32 // logit of each cell that the player to move wins with a stone there
	Other  []float32 // the same for the opponent
	Value  []float32 // a board: what the player to move expects, from -1 to 1
	Kinds  []float32 // a board: Kinds logits of the structures that will win
}

// resize makes room for the outputs of some boards.
func (o *Outputs) resize(boards, cells int) {
	for _, s := range []*[]float32{&o.Policy, &o.Reply, &o.Own, &o.Other} {
		*s = sized(*s, boards*cells)
	}
	o.Value = sized(o.Value, boards)
	o.Kinds = sized(o.Kinds, boards*Kinds)
}

// setBoard sets what belongs to a board, from its outputs.
func (o *Outputs) setBoard(board int, x []float32) {
	o.Value[board] = Tanh(x[0])
	copy(o.Kinds[board*Kinds:], x[1:boardOutputs])
}

// sized returns a slice of a length, in the memory of s if there is enough.
func sized(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// exp returns e^x with an error below 2 units in the last place. Unlike math.Exp it gives
// the same bits on every processor.
func exp(x float32) float32 {
	return float32(portable.FastExp(float64(min(max(x, -87), 88))))
}

// logistic returns 1/(1+e^-x).
func logistic(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh returns the hyperbolic tangent, which makes the value of a board of its first output.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(float32(2*x))) }
