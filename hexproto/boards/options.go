package boards

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"

	"gamebots/hexproto/wire"
)

// Seed returns the random seed of a bot in a game: that of the bot, and another in each game.
func Seed(bot uint64, game *wire.Game) uint64 {
	h := fnv.New64a()
	h.Write([]byte(cmp.Or(game.Tag, game.Game)))
	return bot ^ h.Sum64()
}

// readOptions reads a JSON object of options into a struct that holds the
// defaults. An empty text changes nothing; an unknown option is an error.
func readOptions(text json.RawMessage, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // its text names Go's types
		if wrong.Field == "" {
			return fmt.Errorf("options are a JSON object, not a %s", wrong.Value)
		}
		return fmt.Errorf("option %s: it cannot be a %s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("options: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// parseState reads the options of a game's state, which a server has completed.
// Options that a later server may add are ignored.
func parseState(state *wire.Game, into any) error {
	if err := json.Unmarshal(state.Options, into); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	return nil
}

// mustJSON encodes a value of a type that cannot fail.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
