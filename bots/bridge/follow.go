package bridge

import (
	"context"
	"fmt"
	"os"
	"time"

	"gamebots/configs"
	"gamebots/internal/parallel"
)

// reloadInterval is how often the settings file is checked.
const reloadInterval = time.Second

// Follow reads the settings again whenever their file has changed, until the context ends. It returns at once if there
// is no file.
func (b *Bridge) Follow(ctx context.Context, file string, read func() (configs.BoardBot, error)) {
	if file == "" {
		return
	}
	seen := changed(file)
	for range parallel.Every(ctx.Done(), reloadInterval) {
		at := changed(file)
		if at == seen {
			continue
		}
		seen = at
		if settings, err := read(); err != nil {
			b.Log.Error("the settings stay as they were", "error", err)
		} else {
			b.Reload(settings)
			b.Log.Info("settings read again", "file", file)
		}
	}
}

// changed returns a text that differs between versions of a file.
func changed(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime(), info.Size())
}
