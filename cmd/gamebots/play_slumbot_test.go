package main

import (
	"net/http/httptest"

	"gamebots/bots/poker"
	"gamebots/bots/sites/slumbot/slumbottest"
	"gamebots/configs"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() { scriptCommands["slumbot"] = startSlumbot }

// startSlumbot is the script command "slumbot": it sets $SITE to a server that speaks as
// Slumbot's site does, and always calls.
func startSlumbot(ts *testscript.TestScript, _ bool, _ []string) {
	game, err := configs.Game(siteGame)
	ts.Check(err)
	bot, err := poker.NewOpponent("call", 0)
	ts.Check(err)
	server := httptest.NewServer(&slumbottest.Server{Game: game, Bot: bot})
	ts.Defer(server.Close)
	ts.Setenv("SITE", server.URL)
}
