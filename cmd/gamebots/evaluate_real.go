package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/poker"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/bestresponse"

	"gamebots/solvers/policy"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// realFlags are the flags of evaluate --real.
type realFlags struct {
	real      bool
	bot, game string
	save      string
	sample    sampleFlags
	style     poker.Style
	device    cudalib.Choice
	share     gridflags.Flags
	threads   int
	memory    cli.Bytes
	asJSON    bool
}

// evaluateReal prints what best responses in the game itself win.
func evaluateReal(cmd *cobra.Command, args []string, f realFlags) (err error) {
	log, ctx := zerolog.Ctx(cmd.Context()), cmd.Context()
	s, name, err := f.strategy(cmd, args)
	if errors.As(err, new(*bestresponse.GameError)) {
		return usererr.WithHint(err, "two-player limit games have one; --learned gives a lower bound in the abstract game and, for two players, --lbr one in the game itself")
	}
	if err != nil {
		return err
	}
	a, err := f.answer(cmd, bestresponse.New(s))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if f.share.NATS != "" {
		end, err := f.distribute(a, args, s.Tree.Game)
		if err != nil {
			return err
		}
		defer end()
	}
	if f.save != "" {
		release, err := cli.Hold(f.save, "--save")
		if err != nil {
			return err
		}
		defer release()
		save, saved, err := a.OpenSave(f.save)
		switch {
		case errors.Is(err, bestresponse.ErrOtherStrategy):
			return usererr.WithHint(err, "give another file to --save, or remove this one")
		case errors.Is(err, bestresponse.ErrForeign):
			return usererr.WithHint(err, "give another file to --save")
		case err != nil:
			return err
		}
		defer func() { err = errors.Join(err, save.Close()) }()
		a.parts, a.keep = saved, save.Add
	}
	missing := a.Missing(a.parts)
	log.Info().Str("strategy", name).Str("device", a.where).Int("boards", a.Parts()).Int("done", a.Parts()-len(missing)).
		Str("memory", memory.Bytes(a.bytes())).Msg("answering")
	var drawn *bestresponse.Sample
	if f.sample.partly(a.Response) {
		drawn, err = f.sample.draw(cmd, a)
	} else {
		bar := cli.NewCountBar(cmd.ErrOrStderr(), log, "answering", uint64(len(missing)))
		done := uint64(0)
		err = a.value(missing, func() { done++; bar.Update(done) })
		bar.Close()
	}
	if err != nil && ctx.Err() != nil && f.save == "" {
		return usererr.WithHint(err, "with --save FILE an interrupted run can be continued")
	}
	if err != nil {
		return err
	}
	if drawn != nil && len(a.Missing(a.parts)) > 0 {
		return f.printBound(cmd.OutOrStdout(), s.Tree.Game, name, drawn.Len(), drawn.Bound(a.parts))
	}
	return f.print(cmd.OutOrStdout(), s.Tree.Game, name, a.Total(a.parts))
}

// answer is a response at work on devices, or on the CPU.
type answer struct {
	*bestresponse.Response
	ctx     context.Context
	devices []*cudalib.Device // none for the CPU
	where   string            // describes them
	threads int
	grid    grid.Grid                 // nil if this machine does the work alone
	shared  jobs.RealStrategy         // for the grid
	parts   []bestresponse.PartValues // so far
	keep    func(part int, values bestresponse.PartValues) error
}

// answer opens the devices for a response, if there is enough memory.
func (f *realFlags) answer(cmd *cobra.Command, r *bestresponse.Response) (*answer, error) {
	a := &answer{
		Response: r, ctx: cmd.Context(), threads: f.threads,
		parts: make([]bestresponse.PartValues, r.Parts()), keep: func(int, bestresponse.PartValues) error { return nil },
	}
	var err error
	if a.devices, a.where, err = f.open(r); err != nil {
		return nil, err
	}
	if err := memory.Enough("the best response", a.bytes(), f.memory.Or(memory.Available)); err != nil {
		return nil, errors.Join(usererr.WithHint(err, "--threads N takes less memory with fewer threads"), a.Close())
	}
	return a, nil
}

// distribute has an answer shared with other machines until end is called.
func (f *realFlags) distribute(a *answer, args []string, g *acpc.Game) (end func() error, err error) {
	a.shared = jobs.RealStrategy{Style: f.style}
	if f.bot != "" {
		a.shared.Plain, a.shared.Name, a.shared.Game = policy.Plain(f.bot), g.Name, g.String()
	} else if a.shared.File, err = os.ReadFile(args[0]); err != nil {
		return nil, err
	}
	a.grid, end, err = f.share.Open(a.ctx, f.threads)
	return end, err
}

// bytes returns how much memory all threads take, and what devices need of this computer's.
func (a *answer) bytes() int64 {
	bytes := a.ThreadBytes() * int64(max(1, a.threads))
	if len(a.devices) > 0 {
		bytes += a.TableBytes()
	}
	return bytes
}

// value values the parts in a list, and calls done after each.
func (a *answer) value(list []int, done func()) error {
	take := func(part int, values bestresponse.PartValues) error {
		a.parts[part] = values
		done()
		return a.keep(part, values)
	}
	if a.grid != nil {
		return jobs.AnswerReal(a.ctx, a.grid, a.shared, a.Response, list, take)
	}
	if len(a.devices) > 0 {
		return a.ValueOn(a.ctx, a.devices, list, a.threads, take)
	}
	return a.Value(a.ctx, list, a.threads, take)
}

// Close closes the devices.
func (a *answer) Close() error { return cudalib.CloseAll(a.devices) }

// strategy returns the strategy to answer, as it is played, and its name.
func (f *realFlags) strategy(cmd *cobra.Command, args []string) (*bestresponse.Strategy, string, error) {
	if f.bot == "" {
		policy, err := strategies.Open(cmd, args[0], f.memory.Or(memory.Available))
		if err != nil {
			return nil, "", err
		}
		defer policy.Close()
		if err := bestresponse.Check(policy.Tree); err != nil { // before the cards, which take minutes
			return nil, "", err
		}
		if err := strategies.FillBuckets(cmd, policy, f.threads); err != nil {
			return nil, "", err
		}
		s, err := bestresponse.Read(policy, f.style.Apply)
		return s, args[0], err
	}
	g, err := configs.Game(f.game)
	if err != nil {
		return nil, "", err
	}
	s, err := bestresponse.PlainIn(policy.Plain(f.bot), g)
	return s, f.bot, err
}

// open opens the devices, or none for the CPU, and says which.
func (f *realFlags) open(r *bestresponse.Response) ([]*cudalib.Device, string, error) {
	if f.share.NATS != "" {
		return nil, "a grid", nil
	}
	if !f.device.GPU() && !r.DeviceWorthwhile() {
		return nil, "the CPU: the game is too small to gain from a GPU", nil
	}
	return f.device.OpenAll()
}

func (f *realFlags) print(w io.Writer, g *acpc.Game, name string, best [2]float64) error {
	exploitability := (best[0] + best[1]) / 2
	if f.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Game           string     `json:"game"`
			Strategy       string     `json:"strategy"`
			BestResponse   [2]float64 `json:"best_response"`
			Exploitability float64    `json:"exploitability"`
			Real           bool       `json:"real"`
			Unit           string     `json:"unit"`
		}{g.Name, name, best, exploitability, true, "chips"})
	}
	fmt.Fprintf(w, "%s: %s, answered exactly in the game itself\nposition  best response\n", g.Name, name)
	for p, x := range best {
		fmt.Fprintf(w, "%8d  %s\n", p+1, figures.Chips(x, g))
	}
	_, err := fmt.Fprintf(w, "exploitability  %s\n", figures.Chips(exploitability, g))
	return err
}

// check returns an error for flags that cannot be combined.
func (f *realFlags) check(cmd *cobra.Command, args []string) error {
	if err := f.sample.check(cmd, f.real); err != nil {
		return err
	}
	switch changed := cmd.Flags().Changed; {
	case f.bot != "" && !f.real && !changed("lbr"):
		return usererr.Usagef("--bot has no effect without --real or --lbr")
	case f.save != "" && !f.real:
		return usererr.Usagef("--save has no effect without --real")
	case f.game != "" && f.bot == "":
		return usererr.Usagef("--game has no effect without --bot: a strategy file has its game")
	case f.bot != "" && f.game == "":
		return usererr.WithHint(usererr.Usagef("--bot %s: --game is missing", f.bot), "for example --game holdem-limit-2p")
	case f.bot != "" && !slices.Contains(policy.Plains, policy.Plain(f.bot)):
		return usererr.Usagef("--bot %s: want call, raise, fold or half", f.bot)
	case f.bot != "" && len(args) > 0:
		return usererr.Usagef("give a strategy file or --bot, not both")
	case f.bot == "" && len(args) == 0:
		return usererr.Usagef("an argument is missing: %s", cmd.UseLine())
	case f.bot != "" && (changed("purify") || changed("threshold")):
		return usererr.Usagef("--purify and --threshold have no effect on --bot")
	case f.real && changed("log"):
		return usererr.Usagef("--real and --log cannot be combined")
	case f.real && changed("nats") && f.sample.on:
		return usererr.Usagef("--sample and --nats cannot be combined")
	case f.real && changed("nats") && changed("device"):
		return usererr.Usagef("--device has no effect with --real and --nats: each machine uses its GPUs, if it has any")
	}
	return nil
}
