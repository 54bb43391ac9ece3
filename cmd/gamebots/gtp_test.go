package main

import (
	"strings"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/bots/nimbot"
	"gamebots/configs"
	"gamebots/hexproto"
)

func TestGTPFlags(t *testing.T) {
	for _, test := range []struct {
		game   string
		change func(*gtpFlags)
		want   string // part of the error
	}{
		{"matrix", func(*gtpFlags) {}, "GTP cannot express matrix games"},
		{"chess", func(*gtpFlags) {}, `"chess" is no game: want one of havannah, nim`},
		{"havannah", func(f *gtpFlags) { f.megabytes = 0 }, "--time and --memory must be greater than 0"},
		{"havannah", func(f *gtpFlags) { f.megabytes = 1 << 60 }, "--memory: the tree"},
		{"havannah", func(f *gtpFlags) { f.engine.Kind = "gtp" }, "--bot gtp"},
		{"nim", func(f *gtpFlags) { f.engine.Kind = "mcts" }, "mcts"},
	} {
		f := gtpFlags{engine: configs.DefaultBoardBot().Engine, time: time.Second, megabytes: 1}
		f.engine.Kind = ""
		test.change(&f)
		if _, err := f.bot(test.game); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.game, err, test.want)
		}
	}
	f := gtpFlags{engine: configs.DefaultBoardBot().Engine, time: 3 * time.Second, megabytes: 2, threads: 4, study: 5}
	f.engine.Kind = ""
	bot, err := f.bot("havannah")
	best, ok := bot.(hexproto.PlayerBot).Player.(havannahbot.Best)
	if m := best.MCTS; !ok || m.Time != f.time || m.Memory != 2<<20 || m.Threads != 4 || m.Net == nil ||
		m.Search.ProofAfter != 5 || f.engine.Kind != "best" {
		t.Errorf("havannah: %+v, %v", bot, err)
	}
	f.engine.Kind = "mcts"
	bot, err = f.bot("havannah")
	if m := bot.(hexproto.PlayerBot).Player.(havannahbot.MCTS); err != nil || m.Net != nil || m.Search.ProofAfter != 5 {
		t.Errorf("mcts: %+v, %v", bot, err)
	}
	f.engine.Kind = ""
	if bot, err := f.bot("nim"); err != nil || bot.(hexproto.PlayerBot).Player != (nimbot.XOR{}) {
		t.Errorf("nim: %+v, %v", bot, err)
	}
}
