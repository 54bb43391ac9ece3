package bench

import (
	"context"
	"fmt"
	"io"
)

// signature is a fixed amount of work. The number that run returns depends on every result of
// that work and on nothing else: not on the machine, and not on the number of threads.
type signature struct {
	name string
	run  func(context.Context) (uint64, error)
}

// signatures are of every solver, and of the rules below them. signature_test.go says which one
// covers which package of solvers.
var signatures = []signature{
	{"aivat", signAIVAT},
	{"bestresponse", signResponses},
	{"boardwise", signBoardwise},
	{"buckets", signBuckets},
	{"cfr", signCFR},
	{"cfrlater", signCFRLater},
	{"cfrbr", signCFRBR},
	{"correlated", signCorrelated},
	{"dealer", signDealer},
	{"deals", signDeals},
	{"extensive", signExtensive},
	{"gumbel", signGumbel},
	{"hand", signHand},
	{"havannah", signHavannah},
	{"hexnet", signHexnet},
	{"lbr", signLBR},
	{"mccfr", signSampling},
	{"mcts", signSearch},
	{"minimax", signMinimax},
	{"multiplayer", signMultiplayer},
	{"nash", signNash},
	{"nim", signNim},
	{"nmcs", signNMCS},
	{"path", signPaths},
	{"pcs", signPCS},
	{"polymatrix", signPolymatrix},
	{"resolve", signResolving},
	{"selfplay", signSelfplay},
	{"snake", signSnakes},
	{"spot", signSpots},
	{"subgame", signSubgames},
	{"tabular", signTabular},
}

// Sign does the fixed work of every solver and calls back with its number.
func Sign(ctx context.Context, emit func(name string, result uint64) error) error {
	for _, s := range signatures {
		n, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("signature %s: %w", s.name, err)
		}
		if err := emit(s.name, n); err != nil {
			return err
		}
	}
	return nil
}

// signRounded signs values to a millionth. It is for solvers in floats whose last bits are the
// machine's: some processors add a product without rounding it first.
func signRounded(h io.Writer, values []float64) {
	for _, x := range values {
		fmt.Fprintf(h, "%.6f ", x)
	}
}
