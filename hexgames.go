package main

import (
	"gamebots/bots/havannah"
	"gamebots/bots/nim"
	"gamebots/hexproto"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/boards"
)

// boardRules are the games of gamebots serve. A game is added as go doc
// ./hexproto/server says.
var boardRules = []server.Rules{
	boards.Havannah{},
	boards.Nim{},
}

// boardBots are the bots that gamebots serve has itself.
var boardBots = []server.House{
	{Name: "playouts", Rules: []string{havannah.Rules}, Bot: havannah.Playouts{}},
	{Name: "xor", Rules: []string{nim.Rules}, Bot: nim.XOR{}},
	{Name: "random", Rules: []string{havannah.Rules, nim.Rules}, Bot: hexproto.ByRules{
		havannah.Rules: havannah.Random{}, nim.Rules: nim.Random{},
	}},
}
