package bridge

import (
	"os"
	"path/filepath"

	"gamebots/hexproto/wire"
	"gamebots/internal/atomicfile"
)

// writeRecord writes a finished game, with its chat, into a folder. Only the owner can
// read it. It does nothing if the folder is "".
func writeRecord(folder string, game *wire.Game) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	text, err := wire.Encode(0, game)
	if err != nil {
		return err
	}
	return atomicfile.WritePrivate(filepath.Join(folder, filepath.Base(game.Game)+".json"), append(text, '\n'))
}
