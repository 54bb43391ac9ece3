package arena

import (
	"encoding/json"
	"fmt"
)

// PackBoardGames packs the games of a shard.
func PackBoardGames(games []GameRecord) ([]byte, error) {
	text, err := json.Marshal(games)
	return pack(text), err
}

// maxGame is more bytes than the record of a game has.
const maxGame = 64 << 10

// BoardGames unpacks the games of a shard, two for each opening. Their numbers count over
// the table, the second game of an opening has the seats exchanged, and Score is the
// score of the table's first player.
func BoardGames(p *Plan, shard Shard, packed []byte) ([]GameRecord, error) {
	var games []GameRecord
	text, err := unpack(packed, maxGame*(1+2*shard.Count))
	if err == nil {
		err = json.Unmarshal(text, &games)
	}
	if err == nil && len(games) != 2*shard.Count {
		err = fmt.Errorf("%d games of %d openings", len(games), shard.Count)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s, shard %d: %w", p.Name, shard.Number, err)
	}
	return games, nil
}
