package registry

import (
	"slices"
	"strconv"
	"strings"

	"gamebots/bots/havannahbot"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/mcts"
)

// maxBatch limits the leaves of a batch, and the random games of a leaf: with more the
// search has no tree.
const maxBatch = 1 << 14

// nameSetting is the only setting of a program, after its command.
const nameSetting = ",name="

// Settings are the settings of a bot: those of a settings file, and how many random games of a
// tree search are played together.
type Settings struct {
	configs.Engine
	Name   string       // name of the bot
	Memory uint64       // MiB of the tree; 0 is the default
	Search mcts.Options // zero values are defaults
}

// Parse parses a bot and its settings, as in "mcts,simulations=1000,name=strong" or
// "gtp:PROGRAM ARGUMENTS,name=strong". Setup has GTP commands for a program before each
// game. All errors are usage errors.
func Parse(rules, text string, setup []string) (Settings, error) {
	s := Settings{Engine: configs.DefaultBoardBot().Engine, Name: text}
	s.Rules = rules
	if command, ok := strings.CutPrefix(text, "gtp:"); ok {
		s.Name = command
		if i := strings.LastIndex(command, nameSetting); i >= 0 && i+len(nameSetting) < len(command) {
			command, s.Name = command[:i], command[i+len(nameSetting):]
		}
		s.Kind, s.Command, s.Setup = "gtp", strings.Fields(command), setup
		if len(s.Command) == 0 {
			return s, usererr.Usagef("gtp: needs a program")
		}
		return s, nil
	}
	if len(setup) > 0 {
		return s, usererr.Usagef("setup commands are for programs that speak GTP")
	}
	kind, rest, _ := strings.Cut(text, ",")
	if kinds := kindsOf(rules); !slices.Contains(kinds, kind) {
		all := append(slices.Clip(kinds), "gtp:COMMAND")
		return s, usererr.Usagef("%q is no bot of %s: want %s", kind, rules, usererr.OneOf(kind, all))
	}
	s.Kind = kind
	if rest == "" && !strings.Contains(text, ",") {
		return s, nil
	}
	for setting := range strings.SplitSeq(rest, ",") {
		if err := s.set(setting, settingsOf[kind]+"seed=N, name=TEXT"); err != nil {
			return s, err
		}
	}
	return s, nil
}

// settingsOf has the settings of a kind of bot, but for those of all: a name, and a seed, which matters to those that
// draw.
var settingsOf = map[string]string{
	"best": ofTrees, "mcts": ofTrees, "gumbel": "simulations=N, threads=N, device=NAME, net=FILE, ",
	"minimax": "device=NAME, ", "playouts": "playouts=N, ",
}

const ofTrees = "simulations=N, threads=N, device=NAME, memory=MIB, leaf=N, batch=N, together=N, net=FILE, "

// set parses one setting of those that the bot has.
func (s *Settings) set(setting, has string) error {
	key, value, _ := strings.Cut(setting, "=")
	texts := map[string]*string{"name": &s.Name, "device": &s.Device, "net": &s.Net}
	numbers := map[string]*uint64{
		"simulations": &s.Simulations, "threads": &s.Threads, "seed": &s.Seed,
		"playouts": &s.Engine.Playouts, "memory": &s.Memory,
	}
	counts := map[string]*int{
		"leaf": &s.Search.Playouts, "batch": &s.Search.Batch, "together": &s.Search.LeavesPerDescent,
	}
	n, err := strconv.ParseUint(value, 10, 31)
	switch text, number, count := texts[key], numbers[key], counts[key]; {
	case !strings.Contains(" "+has, " "+key+"="):
		return usererr.Usagef("%q is not a setting of %s: want %s", setting, s.Kind, has)
	case text != nil && (key != "name" || value != ""):
		*text = value
	case err == nil && number != nil:
		*number = n
	case err == nil && count != nil && n > maxBatch:
		return usererr.Usagef("%s: %d is more than %d", key, n, maxBatch)
	case err == nil && count != nil:
		*count = int(n)
	default:
		return usererr.Usagef("%q is not one of %s", setting, has)
	}
	return nil
}

// Bot returns the bot with these settings.
func (s *Settings) Bot() (hexproto.Bot, error) {
	bot, err := Bot(s.Engine)
	if err != nil {
		return nil, err
	}
	if err := memory.Enough("memory: the tree", memory.Saturate(float64(s.Memory)*(1<<20)),
		memory.Available()); err != nil {
		return nil, err
	}
	if b, ok := bot.(hexproto.PlayerBot); ok {
		switch p := b.Player.(type) {
		case havannahbot.MCTS:
			p.Memory, p.Search = int(s.Memory)<<20, s.Search
			bot = havannahbot.Bot(p)
		case havannahbot.Best:
			p.Memory, p.Search = int(s.Memory)<<20, s.Search
			bot = havannahbot.Bot(p)
		}
	}
	return bot, nil
}
