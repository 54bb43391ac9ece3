package havannah

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
)

// Rules is the name of the game.
const Rules = "havannah"

// Position returns the board of a game's state. An error means that the state is
// no game of Havannah.
func Position(game *wire.Game) (*havannah.Board, error) {
	if game.Rules != Rules {
		return nil, fmt.Errorf("%s is not Havannah", game.Rules)
	}
	var options struct {
		Side int `json:"side"`
	}
	if err := json.Unmarshal(game.Options, &options); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	board, err := havannah.New(options.Side)
	if err != nil {
		return nil, err
	}
	for i, m := range game.Moves {
		move, err := board.Grid().Parse(m.Move)
		if err == nil {
			err = board.Play(move)
		}
		if err != nil {
			return nil, fmt.Errorf("move %d, %s: %w", i+1, m.Move, err)
		}
	}
	return board, nil
}

// seedOf is the seed of a turn of a game.
func seedOf(seed uint64, game *wire.Game) (uint64, uint64) {
	h := fnv.New64a()
	if game.Tag != "" {
		h.Write([]byte(game.Tag))
	} else {
		h.Write([]byte(game.Game))
	}
	return seed ^ h.Sum64(), uint64(game.Turn)
}
