package cfr

import "fmt"

// Pieces are the segments of a game's last round, almost all of it, each of which
// can be valued by itself once it is known how often it is reached. A game of one
// round has none.
func (l *Layout) Pieces() int {
	last := l.Tree.Game.NumRounds - 1
	if last == 0 {
		return 0
	}
	return int(l.rounds[last+1] - l.rounds[last])
}

// pieceFloats is how many numbers a piece's values are: of the strategy and of a
// best response, for each bucket of the round before.
func (l *Layout) pieceFloats() int { return 2 * l.Cards.Rounds[l.Tree.Game.NumRounds-2].Stride }

// PieceEvaluator values pieces of a strategy, for an [Evaluator] elsewhere. It is
// used by one goroutine at a time.
type PieceEvaluator struct {
	e       *Evaluator
	reached int // the player for whom the rounds before the last were walked, or -1
}

// NewPieceEvaluator returns an evaluator of pieces for a strategy given as weights,
// which are not changed. The layout has pieces.
func NewPieceEvaluator(l *Layout, weights []float32) *PieceEvaluator {
	e := &Evaluator{Layout: l, walk: newWalkOver[float64](l, 1, false, true), sum: weights}
	e.walk.down, e.walk.up = e.down, e.up
	return &PieceEvaluator{e, -1}
}

// Value returns the values of the pieces from one number to another for a player,
// one after the other.
func (p *PieceEvaluator) Value(player, from, to int) ([]float64, error) {
	if player < 0 || player >= p.e.Tree.Game.NumPlayers || from < 0 || from > to || to > p.e.Pieces() {
		return nil, fmt.Errorf("there are no pieces %d to %d of player %d", from, to, player)
	}
	w, last := p.e.walk, p.e.Tree.Game.NumRounds-1
	if p.reached != player {
		w.player, p.reached = player, player
		w.descendTo(last)
	}
	size := p.e.pieceFloats()
	values := make([]float64, 0, (to-from)*size)
	w.first = w.rounds[last]
	for piece := from; piece < to; piece++ {
		for part := range w.parts[last] {
			w.lastTask(0, piece*len(w.parts[last])+part)
		}
		segment, scratch := w.first+int32(piece), w.workers[0].sums
		values = values[:len(values)+size]
		means := values[len(values)-size:]
		w.average(means[:size/2], w.rootValue[segment], last, scratch)
		w.average(means[size/2:], w.rootBest[segment], last, scratch)
	}
	return values, nil
}

// EvaluatePieces values a strategy as [Evaluator.Evaluate] does, to the same bits,
// but has the pieces of all players valued by others: pieces calls take with
// what PieceEvaluator.Value returned for a player from a piece on, for each
// piece once and in any order. take may not be called twice at a time. The
// layout has pieces.
func EvaluatePieces(l *Layout, weights []float32, threads int, pieces func(take func(player, from int, values []float64) error) error) (Evaluation, error) {
	e := &Evaluator{Layout: l, walk: newWalkOver[float64](l, threads, false, true), sum: weights}
	e.walk.down, e.walk.up = e.down, e.up
	w, last, size := e.walk, e.Tree.Game.NumRounds-1, l.pieceFloats()
	given := make([][][]float64, e.Tree.Game.NumPlayers)
	missing := len(given) * l.Pieces()
	for p := range given {
		given[p] = make([][]float64, len(e.Tree.Segments))
	}
	err := pieces(func(player, from int, values []float64) error {
		n := len(values) / size
		if player < 0 || player >= len(given) || from < 0 || from+n > l.Pieces() || n*size != len(values) {
			return fmt.Errorf("%d values of player %d from piece %d on are of no pieces", len(values), player, from)
		}
		for i := range n {
			at := &given[player][w.rounds[last]+int32(from+i)]
			if *at != nil {
				return fmt.Errorf("piece %d of player %d came twice", from+i, player)
			}
			*at = values[i*size:][:size]
			missing--
		}
		return nil
	})
	switch {
	case err != nil:
		return Evaluation{}, err
	case missing > 0:
		return Evaluation{}, fmt.Errorf("%d pieces are missing", missing)
	}
	var out Evaluation
	for p := range given {
		w.player, w.given = p, given[p]
		w.descendTo(last)
		w.ascendFrom(last)
		out.Value = append(out.Value, rootMean(l, w.rootValue[0]))
		out.BestResponse = append(out.BestResponse, rootMean(l, w.rootBest[0]))
	}
	return out, nil
}
