package history

import (
	"slices"

	"gamebots/acpc"
)

// gameOf returns the game of a hand, in ACPC's positions.
func (r *PHHReader) gameOf(f *phhFields) (*acpc.Game, error) {
	if *f.Variant == variantACPC {
		return r.definedGame(f)
	}
	if f.Game != "" {
		return nil, keyErrorf("_acpc_game", "of variant %q only", variantACPC)
	}
	g := &acpc.Game{Name: "hold'em", NumRounds: 4, NumSuits: 4, NumRanks: 13, NumHoleCards: 2,
		NumBoardCards: [acpc.MaxRounds]uint8{0, 3, 1, 1}, UnderRaise: true}
	for i := range g.MaxRaises {
		g.MaxRaises[i] = acpc.NoRaiseLimit
	}
	switch *f.Variant {
	case variantFT:
		small, err := r.bet("small_bet", f.SmallBet)
		if err != nil {
			return nil, err
		}
		big, err := r.bet("big_bet", f.BigBet)
		if err != nil {
			return nil, err
		}
		g.RaiseSize = [acpc.MaxRounds]int32{small, small, big, big}
	case variantNT:
		g.Betting = acpc.NoLimit
		if _, err := r.bet("min_bet", f.MinBet); err != nil {
			return nil, err
		}
	default:
		return nil, keyErrorf("variant", "%q is not FT, NT or %s: no other game of the format can be played in a log",
			*f.Variant, variantACPC)
	}
	n := len(f.Stacks)
	if n < 2 || n > acpc.MaxPlayers {
		return nil, keyErrorf("starting_stacks", "%d players, which are not 2 to %d", n, acpc.MaxPlayers)
	}
	g.NumPlayers = n
	if err := r.seats(g, f); err != nil {
		return nil, err
	}
	return g, nil
}

func (r *PHHReader) bet(key string, n phhNumber) (int32, error) {
	v, err := r.chips(key, n)
	if err == nil && v <= 0 {
		err = keyErrorf(key, "missing, or not more than 0")
	}
	return v, err
}

// seats sets the blinds, the stacks and the first players of a game of hold'em.
func (r *PHHReader) seats(g *acpc.Game, f *phhFields) error {
	n := g.NumPlayers
	antes, err := r.amounts("antes", f.Antes, n)
	if err != nil {
		return err
	}
	blinds, err := r.amounts("blinds_or_straddles", f.Blinds, n)
	if err != nil {
		return err
	}
	if n == 2 {
		slices.Reverse(blinds) // heads-up the format has the big blind first
	}
	if slices.Max(antes) > 0 {
		if slices.Max(blinds) > 0 || slices.Min(antes) != slices.Max(antes) {
			return keyErrorf("antes", "a log has either blinds or one ante of all")
		}
		blinds = antes
	}
	opener, ok := openerOf(blinds)
	if !ok {
		return keyErrorf("blinds_or_straddles", "%v do not say who acts first", blinds)
	}
	first := f.First
	if first < 0 || first >= n {
		first = 0 // an error later
	}
	for i, stack := range f.Stacks {
		p := (i + first) % n
		g.Blind[p] = blinds[i]
		g.Stack[p] = acpc.NoStackLimit
		if !(float64(stack) >= acpc.NoStackLimit) { // inf is an unknown stack; nan is an error
			if g.Stack[p], err = r.chips("starting_stacks", stack); err != nil {
				return err
			}
		}
		if g.Stack[p] <= 0 {
			return keyErrorf("starting_stacks", "%v is not more than 0", float64(stack))
		}
		g.Blind[p] = min(g.Blind[p], g.Stack[p]) // all-in by it
	}
	g.FirstPlayer = [acpc.MaxRounds]uint8{uint8((opener + first) % n), uint8(first), uint8(first), uint8(first)}
	return nil
}

// definedGame returns the game that the hand defines, or the last one that was defined.
func (r *PHHReader) definedGame(f *phhFields) (*acpc.Game, error) {
	if f.First != 0 {
		return nil, keyErrorf("_acpc_first_position", "of hold'em only")
	}
	if f.Game != "" {
		g, err := acpc.ParseGame("_acpc_game", f.Game)
		if err != nil {
			return nil, keyErrorf("_acpc_game", "%w", err)
		}
		// The hand was played, so a raise of a short stack that lowers the bet was legal.
		g.UnderRaise = true
		r.game = g
	}
	if r.game == nil {
		return nil, keyErrorf("_acpc_game", "missing in this hand and in those before it")
	}
	return r.game, nil
}
