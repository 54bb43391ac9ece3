package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"gamebots/bots/mcp"
	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newMCP() *cobra.Command {
	cmd := command("mcp", "mcp", "Let a language model play and learn, by the Model Context Protocol",
		cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return serveMCP(cmd, &sdk.StdioTransport{}) }
	cli.Serves(cmd)
	return cmd
}

// serveMCP plays for the client of a transport at a server of its own, whose games end with the command.
func serveMCP(cmd *cobra.Command, transport sdk.Transport) (err error) {
	folder, err := os.MkdirTemp("", "gamebots-mcp-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	f := serveFlags{database: filepath.Join(folder, "games.db"), sync: string(database.SyncNormal),
		limits: server.Limits{Connections: 16, Rate: 50, Games: 16, BotGames: 4, Clockless: 16}}
	token, err := server.AddAccount(f.database, "agent", true)
	if err != nil {
		return err
	}
	config, err := f.config()
	if err != nil {
		return err
	}
	config.Loopback, config.Log = true, slog.New(zerolog.NewSlogHandler(logAt(cmd, "warn")))
	closeBots, err := f.addBots(cmd, &config)
	defer closeBots()
	if err != nil {
		return err
	}
	s, err := server.New(config)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, s.Close())
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, "", "") }()
	player := &mcp.Player{URL: "ws://" + l.Addr().String() + "/ws", Token: token, Pages: s.Handler(),
		Version: cli.Release()}
	err = player.Run(ctx, transport)
	cancel()
	return errors.Join(err, <-ended, s.Close())
}
