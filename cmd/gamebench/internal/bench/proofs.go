package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	havannahbot "gamebots/bots/havannah"
	"gamebots/hexproto/havannah"
)

//go:embed proofs.txt
var proofsText string

// provedPosition is a position of Havannah that an exhaustive search has proved.
type provedPosition struct {
	value string // "win" or "loss", for the player to move
	board *havannah.Board
}

// provedPositions returns the positions of proofs.txt.
func provedPositions() ([]provedPosition, error) {
	var all []provedPosition
	for line := range strings.Lines(proofsText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		value, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, record, _ := strings.Cut(rest, " ") // the plies
		r, err := havannah.ParseRecord(record)
		if err != nil {
			return nil, fmt.Errorf("proofs.txt: %s: %w", record, err)
		}
		all = append(all, provedPosition{value, &r.Board})
	}
	return all, nil
}

// proofTime is how long an analysis may take, as on the page.
const proofTime = time.Second

// benchProofs counts the positions of proofs.txt that an analysis proves in its time.
func benchProofs(ctx context.Context, emit func(Row)) error {
	positions, err := provedPositions()
	if err != nil {
		return err
	}
	type sum struct {
		positions, proved int
		longest           time.Duration
	}
	var sums [havannah.MaxSide + 1]sum
	for _, p := range positions {
		limit, cancel := context.WithTimeout(ctx, proofTime)
		began := time.Now()
		rated, err := havannahbot.Analysis{}.Rate(limit, p.board)
		took := time.Since(began)
		cancel()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		s := &sums[p.board.Grid().Side]
		s.positions++
		if rated[0].Proof == p.value {
			s.proved++
			s.longest = max(s.longest, took)
		}
	}
	for side, s := range sums {
		if s.positions > 0 {
			emitAll(emit, Row{Case: fmt.Sprintf("side %d, %v", side, proofTime), Threads: 1},
				figure{"positions", float64(s.positions), "positions"},
				figure{"proved", float64(s.proved), "positions"}, figure{"longest proof", s.longest.Seconds(), "s"})
		}
	}
	return nil
}
