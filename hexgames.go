package main

import (
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/boards"
)

// boardRules are the games of gamebots serve. A game is added as go doc
// ./hexproto/server says.
var boardRules = []server.Rules{
	boards.Havannah{},
}

// boardBots are the bots that gamebots serve has itself.
var boardBots = []server.House{}
