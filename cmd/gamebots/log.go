package main

import (
	"context"
	"log/slog"

	"github.com/rs/zerolog"
)

// slogOf returns the context's log for packages that write to a *slog.Logger.
func slogOf(ctx context.Context) *slog.Logger {
	return slog.New(zerolog.NewSlogHandler(*zerolog.Ctx(ctx)))
}
