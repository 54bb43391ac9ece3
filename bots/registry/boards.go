package registry

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gamebots/bots/havannahbot"
	"gamebots/bots/matrixbot"
	"gamebots/bots/nimbot"
	"gamebots/bots/proc"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server/engines"
	"gamebots/internal/usererr"
	"gamebots/solvers/hexnet"
)

// Rules are the known board games. CONTRIBUTING.md says how to add one.
var Rules = []game.Rules{
	havannahbot.Rules{Network: shippedNet},
	boards.Nim{},
	matrixbot.Rules,
}

// MinBotMemory is the least memory of a server's own bots together, in bytes.
func MinBotMemory() int64 { return 4 * minTree * int64(engines.MaxThinking()) }

// The size in bytes of a game's tree at a server.
const minTree, maxTree = 4 << 20, 64 << 20

// Builtin returns the bots of a server itself, the strongest of each game first. They
// search on the given device, and together use memory bytes, at least
// MinBotMemory. With a network, the strongest and some levels play by it, else the strongest by the one
// that comes with the program. docs/player.md says how the
// ratings were measured.
func Builtin(device cudalib.Choice, memory int64, n *hexnet.Net) []engines.Bot {
	// Those that think, and as many that keep their trees, take half of the memory.
	tree := min(maxTree, memory/4/int64(engines.MaxThinking()))
	minimax := nimbot.NewMinimax(0, device)
	minimax.Memory = tree
	strongest := n
	if n == nil {
		strongest = shippedNet()
	}
	network := []engines.Bot{{
		Name: "best", Rules: []string{boards.HavannahName}, Memory: tree,
		About:   "The strongest: a second a move, with a network that has learned from games against itself.",
		Ratings: map[string]int{boards.HavannahName: 3010},
		Bot: havannahbot.Bot(havannahbot.Best{
			MCTS: havannahbot.MCTS{Net: strongest, Memory: int(tree), Device: device, Threads: 1},
		}),
	}}
	if n != nil {
		for _, l := range []struct {
			name, about string
			evaluations int
			rating      int // rating of the shipped network on side 5
		}{
			{"network", "The network with 256 evaluations a move.", havannahbot.DefaultEvaluations, 2840},
			{"network-medium", "The network with 16 evaluations a move.", 16, 2460},
			{"network-easy", "The network's first idea, without a search.", 1, 2350},
		} {
			network = append(network, engines.Bot{
				Name: l.name, Rules: []string{boards.HavannahName}, About: l.about,
				Ratings: map[string]int{boards.HavannahName: l.rating},
				Fixed:   true,
				Bot:     havannahbot.Bot(havannahbot.Gumbel{Net: n, Evaluations: l.evaluations, Device: device}),
			})
		}
	}
	return slices.Concat(
		network,
		levels(device, tree),
		[]engines.Bot{
			{
				Name: "playouts", Rules: []string{boards.HavannahName},
				About: "Plays the move that wins most of 256 random games.",
				Bot:   havannahbot.Bot(havannahbot.Playouts{}), Fixed: true,
				Ratings: map[string]int{boards.HavannahName: 1380},
			},
			{
				Name: "xor", Rules: []string{boards.NimName}, About: "Knows the rule that wins, and makes no mistake.",
				Bot: nimbot.Bot(nimbot.XOR{}), Ratings: map[string]int{boards.NimName: 1700},
			},
			{
				Name: "minimax", Rules: []string{boards.NimName},
				About: "Searches to the end: no mistakes on boards of eight rows.",
				Bot:   nimbot.Bot(minimax), Memory: tree, Ratings: map[string]int{boards.NimName: 1700},
			},
			{
				Name: "xor-easy", Rules: []string{boards.NimName},
				About: "Knows the rule that wins, and forgets it every other move.",
				Bot:   nimbot.Bot(nimbot.XOR{Slips: easySlips}), Ratings: map[string]int{boards.NimName: 1400},
			},
			{
				Name: "equilibrium", Rules: []string{boards.MatrixName},
				About: "Plays a Nash equilibrium: who plays otherwise gains nothing by it.",
				Bot:   matrixbot.Bot(matrixbot.Equilibrium{}),
			},
			{
				Name: "best-reply", Rules: []string{boards.MatrixName},
				About: "Answers what you have played most. You can turn that against it.",
				Bot:   matrixbot.Bot(matrixbot.BestReply{}),
			},
			{
				Name: "random", Rules: []string{boards.HavannahName, boards.NimName, boards.MatrixName},
				About: "Makes any legal move.",
				Bot: hexproto.ByRules{
					boards.HavannahName: havannahbot.Bot(havannahbot.Random{}),
					boards.NimName:      nimbot.Bot(nimbot.XOR{Slips: 1}),
					boards.MatrixName:   matrixbot.Bot(matrixbot.Random{}),
				},
				Ratings: map[string]int{boards.HavannahName: 800, boards.NimName: 1190},
			},
		})
}

// levels returns the tree search of Havannah by strength. Up to mcts-hard they are
// limited by simulations, so they are as strong on every machine.
func levels(device cudalib.Choice, tree int64) []engines.Bot {
	var bots []engines.Bot
	for _, l := range []struct {
		name, about string
		simulations int // 0: a second
		rating      int
	}{
		{"mcts", "Hardest without a network: searches for a second a move.", 0, 2170},
		{"mcts-hard", "Hard: 3,000 simulations a move.", 3000, 1830},
		{"mcts-medium", "Medium: 300 simulations a move.", 300, 1560},
		{"mcts-easy", "Easy: 30 simulations a move.", 30, 1260},
	} {
		bytes := tree
		if l.simulations > 0 {
			bytes = min(bytes, int64(l.simulations)*largestNode)
		}
		bots = append(bots, engines.Bot{
			Name: l.name, Rules: []string{boards.HavannahName}, About: l.about, Memory: bytes,
			Ratings: map[string]int{boards.HavannahName: l.rating}, Fixed: l.simulations > 0,
			Bot: havannahbot.Bot(
				havannahbot.MCTS{Simulations: l.simulations, Memory: int(bytes), Device: device, Threads: 1}),
		})
	}
	return bots
}

// largestNode is about twice the size in bytes of a tree's node on the largest board: a
// tree that is kept has the simulations of the move before, too.
const largestNode = 32 << 10

// easySlips is the share of turns in which xor-easy plays a random move.
const easySlips = 0.5

// makers make the bots, by rules and kind. The first bot of a game is its default.
var makers = []struct {
	rules, kind string
	make        func(configs.Engine) hexproto.Player
}{
	{boards.HavannahName, "best",
		func(e configs.Engine) hexproto.Player { return havannahbot.Best{MCTS: treeSearch(e)} }},
	{boards.HavannahName, "mcts", func(e configs.Engine) hexproto.Player { return treeSearch(e) }},
	{boards.HavannahName, "gumbel", func(e configs.Engine) hexproto.Player {
		return havannahbot.Gumbel{Evaluations: atMostInt(e.Simulations), Device: deviceOf(e), Threads: int(e.Threads)}
	}},
	{boards.HavannahName, "playouts", func(e configs.Engine) hexproto.Player {
		return havannahbot.Playouts{Seed: e.Seed, Games: atMostInt(e.Playouts)}
	}},
	{boards.HavannahName, "random", func(e configs.Engine) hexproto.Player { return havannahbot.Random{Seed: e.Seed} }},
	{boards.MatrixName, "equilibrium",
		func(e configs.Engine) hexproto.Player { return matrixbot.Equilibrium{Seed: e.Seed} }},
	{boards.MatrixName, "best-reply", func(configs.Engine) hexproto.Player { return matrixbot.BestReply{} }},
	{boards.MatrixName, "random", func(e configs.Engine) hexproto.Player { return matrixbot.Random{Seed: e.Seed} }},
	{boards.NimName, "xor", func(e configs.Engine) hexproto.Player { return nimbot.XOR{Seed: e.Seed} }},
	{boards.NimName, "minimax", func(e configs.Engine) hexproto.Player {
		return nimbot.NewMinimax(e.Seed, deviceOf(e))
	}},
	{boards.NimName, "xor-easy",
		func(e configs.Engine) hexproto.Player { return nimbot.XOR{Seed: e.Seed, Slips: easySlips} }},
	{boards.NimName, "random",
		func(e configs.Engine) hexproto.Player { return nimbot.XOR{Seed: e.Seed, Slips: 1} }},
}

// treeSearch returns the tree search of Havannah with the settings of an engine.
func treeSearch(e configs.Engine) havannahbot.MCTS {
	return havannahbot.MCTS{Seed: e.Seed, Threads: int(e.Threads), Simulations: atMostInt(e.Simulations),
		Ponder: e.Ponder, Device: deviceOf(e)}
}

// atMostInt returns n, or the largest int.
func atMostInt(n uint64) int { return int(min(n, math.MaxInt)) }

// deviceOf returns the device of an engine. Bot has checked it.
func deviceOf(e configs.Engine) cudalib.Choice {
	choice, _ := cudalib.ParseChoice(cmp.Or(e.Device, cudalib.Choice{}.String()))
	return choice
}

// DefaultBot returns the kind of bot that plays a game unless another is asked for.
func DefaultBot(rules string) string { return append(kindsOf(rules), "")[0] }

// RulesNamed returns the rules of a name, or nil.
func RulesNamed(name string) game.Rules { return game.Named(Rules, name) }

// Bot returns the bot with these settings. All errors are usage errors, but for those of the
// network's file.
func Bot(e configs.Engine) (hexproto.Bot, error) {
	if e.Kind == "gtp" {
		return proc.Bot{Command: e.Command, Setup: e.Setup, Grace: e.Grace}, nil
	}
	if _, err := cudalib.ParseChoice(e.Device); e.Device != "" && err != nil {
		return nil, usererr.Usagef("device: %w", err)
	}
	if e.Threads > configs.MaxThreads {
		return nil, configs.HintThreads(usererr.Usagef("threads: %d is more than %d", e.Threads, configs.MaxThreads))
	}
	var games []string
	for _, m := range makers {
		if m.rules == e.Rules && m.kind == e.Kind {
			player, err := withNet(m.make(e), e.Network())
			if err != nil {
				return nil, err
			}
			return hexproto.PlayerBot{Rules: RulesNamed(m.rules), Player: player}, nil
		}
		if !slices.Contains(games, m.rules) {
			games = append(games, m.rules)
		}
	}
	kinds := kindsOf(e.Rules)
	if kinds == nil {
		return nil, usererr.Usagef("%q is no game: want %s", e.Rules, usererr.OneOf(e.Rules, games))
	}
	return nil, usererr.Usagef("%q is no bot of %s: want %s", e.Kind, e.Rules, usererr.OneOf(e.Kind, kinds))
}

// withNet returns a player that uses a network, see [Net], or the player as it is if net is "".
func withNet(bot hexproto.Player, net string) (hexproto.Player, error) {
	if net == "" {
		return bot, nil
	}
	n, err := Net(net)
	if err != nil {
		return nil, err
	}
	switch b := bot.(type) {
	case havannahbot.MCTS:
		if b.Device.GPU() {
			return nil, usererr.WithHint(usererr.Usagef("device: %w", havannahbot.ErrNetworkOnGPU),
				"the bot gumbel computes a network on a GPU")
		}
		b.Net = n
		return b, nil
	case havannahbot.Gumbel:
		b.Net = n
		return b, nil
	case havannahbot.Best:
		b.Net = n
		return b, nil
	}
	return nil, usererr.Usagef("net: only the bots best, mcts and gumbel of havannah use a network")
}

// shippedNet returns the network that comes with the program, of which there is no error.
var shippedNet = sync.OnceValue(func() *hexnet.Net {
	n, _ := Net(boards.HavannahName)
	return n
})

// Net returns a network for Havannah: the shipped one by the name of the game, any other by the
// path of its file, and nil for "".
func Net(file string) (*hexnet.Net, error) {
	if file == "" {
		return nil, nil
	}
	if content, shipped := configs.Network(file); shipped {
		return hexnet.Parse(content)
	}
	n, err := hexnet.Load(file)
	if err == nil && n.Origin.Game != boards.HavannahName {
		err = fmt.Errorf("%s: a network for %q, not for %s", file, n.Origin.Game, boards.HavannahName)
	}
	if err != nil {
		return nil, fmt.Errorf("net: %w", err)
	}
	return n, nil
}

// kindsOf returns the kinds of bots of a game.
func kindsOf(rules string) []string {
	var kinds []string
	for _, m := range makers {
		if m.rules == rules {
			kinds = append(kinds, m.kind)
		}
	}
	return kinds
}
