package cli

import (
	"context"
	"log/slog"

	"github.com/rs/zerolog"
)

// Slog returns the context's log for packages that write to a *slog.Logger.
func Slog(ctx context.Context) *slog.Logger {
	return slog.New(zerolog.NewSlogHandler(*zerolog.Ctx(ctx)))
}
