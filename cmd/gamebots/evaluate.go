package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/acpc/money"
	"gamebots/bots/judge"
	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/nash/extensive"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	bot, program, game        string
	patience                  time.Duration
	style                     poker.Style
	by, actions, rounds, save string
	device                    cudalib.Choice
	threads                   int
	memory                    cli.Bytes
	unit                      money.Unit
	asJSON                    bool
	solve                     solvingFlags
	local                     judge.LBR
	learned                   judge.Learned
	sampling                  judge.Sampling
	time                      time.Duration
	seed                      uint64
}

// defaultHands is how many deals a local best response plays, each from both positions: it takes half a minute of two
// cores in no-limit hold'em.
const defaultHands = 4000

func newEvaluate() *cobra.Command {
	f := evaluateFlags{local: judge.LBR{Deals: defaultHands}, patience: agent.DefaultPatience}
	cmd := command("evaluate", "evaluate [FILE]", "Compute how exploitable a strategy is", cli.Arguments(0, 1))
	f.solve.Add(cmd.Flags(), "with lbr: the player solves")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && isProfile(args[0]) {
			return f.profile(cmd, args[0])
		}
		if err := f.evaluate(cmd, args); err != nil || len(args) == 0 {
			return err
		}
		return cli.Next(cmd, nil, "show", args[0], "--walk")
	}
	cli.Bind(cmd, "by", &f.by, "actions", &f.actions, "rounds", &f.rounds, "hands", &f.local.Deals,
		"iterations", &f.learned.Iterations, "boards", &f.sampling.Boards, "time", &f.time, "save", &f.save,
		"seed", &f.seed, "bot", &f.bot, "program", &f.program, "patience", &f.patience, "game", &f.game,
		"purify", &f.style.Purify, "threshold", cli.Probability(&f.style.Threshold), "device", &f.device,
		"threads", cli.PerProcessor(&f.threads), "memory", &f.memory, "json", &f.asJSON, "unit", &f.unit)
	return cmd
}

// evaluate takes the measure that is asked for, or the best one that can be taken, and prints it.
func (f *evaluateFlags) evaluate(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed
	if err := errors.Join(f.check(len(args)), f.solve.Check(cmd.Flags())); err != nil {
		return err
	}
	asked, err := f.measures(given)
	if err != nil {
		return err
	}
	if f.program != "" && asked == nil {
		a, err := f.extensiveAgent(cmd, f.game)
		if err != nil {
			return err
		}
		if a != nil {
			return f.agentOf(cmd, a)
		}
	}
	s, err := f.subject(cmd, args, f.local.Resolving)
	if err != nil {
		return err
	}
	defer s.Close()
	by := ""
	if asked != nil {
		by = asked[0]
		if s.Game.NumPlayers > 2 && slices.Contains(asked, byLearned) {
			by = byLearned
		}
	}
	if f.actions != "" && by != byLocal {
		if err := responseRaises(s, f.actions); err != nil {
			return err
		}
	}
	chosen, err := roundsOf(s, f.rounds)
	if err != nil {
		return err
	}
	for r := range s.Game.NumRounds {
		f.local.CallOnly[r] = !chosen[r]
	}
	m := f.means()
	if by == "" {
		plan, err := parallel.Await(cmd.Context(), func() (*judge.Plan, error) { return judge.NewPlan(s.Subject, m) })
		if err != nil {
			return err
		}
		if plan.Abstract != nil {
			return f.inAbstractGame(cmd, s, m, plan.Abstract)
		}
		by = f.instead(cmd, plan)
	} else if by == byLocal && given("device") {
		if f.local.Resolving, err = onDevice(cmd, f.local.Resolving, f.device); err != nil {
			return err
		}
	}
	switch by {
	case byLocal:
		err = f.locally(cmd, s, m)
	case byLearned:
		err = f.learning(cmd, s, m)
	default:
		err = f.inGameItself(cmd, s, m, by == byBoards)
	}
	switch {
	case err != nil && s.Game.NumPlayers > 2 && by != byLearned:
		return usererr.WithHint(err, "--by learned is for any number of players")
	case errors.As(err, new(*segment.GameError)):
		return usererr.WithHint(err, "--by lbr is for every game of two players")
	}
	return hintRaises(err)
}

// instead returns the measure of a plan that does without the game of the strategy's training, and says why.
func (f *evaluateFlags) instead(cmd *cobra.Command, plan *judge.Plan) string {
	log := zerolog.Ctx(cmd.Context())
	if plan.Real {
		log.Info().AnErr("why", plan.Why).Msg("best responses in the game itself, exactly")
		return byReal
	}
	better := ""
	if plan.Boards {
		better = "; --by boards has a better one, after some minutes"
	}
	log.Info().AnErr("why", plan.Why).Msg("no exact value: a lower bound instead" + better)
	if plan.Local {
		return byLocal
	}
	return byLearned
}

// responseRaises sets the raises of a response, and of a simple player, to those of --actions.
func responseRaises(s *judge.Report, actions string) error {
	menu, err := configs.Actions(actions)
	if err == nil {
		s.Raises, err = train.Actions(s.Game, menu)
	}
	switch {
	case err != nil:
		return trainingError(err)
	case s.Policy != nil && s.Raises.All():
		return usererr.WithHint(usererr.Usagef("--actions %s: a response to a strategy has a list of raises", actions),
			"fchpa adds half the pot, the pot and all-in")
	}
	return nil
}

// hintRaises adds to the error of a best response in the game itself what to do about its raises.
func hintRaises(err error) error {
	switch {
	case errors.As(err, new(*bestresponse.MenuError)):
		return usererr.WithHint(err, "--actions fcpa has few raises")
	case errors.Is(err, bestresponse.ErrFollows):
		return usererr.WithHint(err, "--device cpu values all")
	case errors.Is(err, betting.ErrCards):
		return usererr.WithHint(err, "without --actions the response has the strategy's raises; --by lbr takes any")
	}
	return err
}

// profile evaluates the profile of an extensive game in a file.
func (f *evaluateFlags) profile(cmd *cobra.Command, file string) error {
	if err := onlyFlags(cmd, "only for strategies of poker", "game", "json"); err != nil {
		return err
	}
	g, profile, err := openProfile(cmd, file, f.game)
	if err != nil {
		return err
	}
	return f.printProfile(cmd, g, profile)
}

// agentOf evaluates the agent of an extensive game.
func (f *evaluateFlags) agentOf(cmd *cobra.Command, a *agent.Agent) error {
	defer a.Close()
	profile, err := a.Profile(cmd.Context())
	if err != nil {
		return err
	}
	return f.printProfile(cmd, a.Extensive, profile)
}

// printProfile evaluates a profile of an extensive game.
func (f *evaluateFlags) printProfile(cmd *cobra.Command, g *extensive.Game, profile extensive.Profile) error {
	values, err := judge.Profile(g, profile)
	if err != nil {
		return hintRecall(err)
	}
	return cli.Print(cmd.OutOrStdout(), f.asJSON, values)
}

// inAbstractGame evaluates a strategy in the game that it was trained in.
func (f *evaluateFlags) inAbstractGame(cmd *cobra.Command, s *judge.Report, m judge.Means, a *judge.Abstract) error {
	log := zerolog.Ctx(cmd.Context())
	bar := cli.NewPartBar(cmd.ErrOrStderr(), log, "evaluating")
	stop := bar.Tick()
	where := ""
	e, err := parallel.Await(cmd.Context(), func() (e publictree.Evaluation, err error) {
		e, where, err = a.Evaluate(cmd.Context(), m)
		return e, err
	})
	stop()
	bar.Close()
	if err != nil {
		return err
	}
	log.Debug().Str("device", where).Msg("evaluated")
	return s.WriteAbstract(e)
}

// inGameItself prints what best responses in the game itself win: exactly, or on boards drawn at random if these are
// not all.
func (f *evaluateFlags) inGameItself(cmd *cobra.Command, s *judge.Report, m judge.Means, drawn bool) (err error) {
	a, release, err := openAnswer(cmd, s, m, f.save)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	if drawn {
		bar := cli.NewPartBar(cmd.ErrOrStderr(), log, "answering boards drawn at random")
		boards, err := a.Sample(ctx, f.sampling, bar.Update)
		if bar.Close(); err == nil && boards != nil {
			err = s.WriteSampled(f.sampling, boards.Len(), a.Bound(boards), a.DrawnLines(boards))
			if err == nil && ctx.Err() != nil {
				err = fmt.Errorf("interrupted after %d boards", boards.Len())
			}
		}
		if err != nil || boards != nil {
			return continuable(ctx, err, f.save)
		}
	}
	bar := cli.NewCountBar(cmd.ErrOrStderr(), log, "answering", uint64(a.Parts()-a.Done()))
	done := uint64(0)
	best, err := a.Exact(ctx, func() { done++; bar.Update(done) })
	if bar.Close(); err != nil {
		return continuable(ctx, err, f.save)
	}
	return s.WriteExact(best, a.ExactLines())
}

// continuable adds to the error of a run that was interrupted how it could have been continued.
func continuable(ctx context.Context, err error, save string) error {
	if err != nil && ctx.Err() != nil && save == "" {
		return usererr.WithHint(err, "with --save FILE an interrupted run can be continued")
	}
	return err
}

// otherSave adds the advice for a file of --save that has something else.
func otherSave(err error) error {
	if errors.Is(err, bestresponse.ErrOtherStrategy) || errors.Is(err, bestresponse.ErrForeign) {
		return usererr.WithHint(err, "give another file to --save")
	}
	return err
}

// openAnswer prepares the best response to a subject in the game itself, which goes on from a file if that is not "".
// Release closes it.
func openAnswer(
	cmd *cobra.Command, s *judge.Report, m judge.Means, save string,
) (_ *judge.Answer, release func() error, err error) {
	if s.Policy != nil {
		if err := segment.CheckRules(s.Game); err != nil { // before the buckets, which take minutes
			return nil, nil, err
		}
		if err := fillBuckets(cmd, s.Policy, m.Threads); err != nil {
			return nil, nil, err
		}
	}
	a, err := judge.NewAnswer(s.Subject, m)
	if errors.As(err, new(*judge.MemoryError)) {
		return nil, nil, usererr.WithHint(err, "--threads N takes less memory with fewer threads")
	}
	if err != nil {
		return nil, nil, err
	}
	release = a.Close
	if save != "" {
		free, err := cli.Hold(save, "--save")
		if err == nil {
			release = func() error { defer free(); return a.Close() }
			err = a.Keep(save)
		}
		if err != nil {
			return nil, nil, errors.Join(otherSave(err), release())
		}
	}
	zerolog.Ctx(cmd.Context()).Info().Str("strategy", s.Name).Str("device", a.Where).Int("boards", a.Parts()).
		Int("done", a.Done()).Str("memory", memory.Bytes(a.Bytes())).Str("time_for_all", "about "+a.Time().String()).
		Msg("answering")
	return a, release, nil
}
