package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/acpc/money"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newPlay() *cobra.Command {
	return group("play", "Play poker at the terminal, or let a bot play at a server", newPlayPoker(), newPlayACPC(),
		newPlayHex(), newPlaySlumbot(), newPlayGTOWizard(), newPlayMIT(), newPlayAbstractPlay())
}

// botFlags are the flags of play that stand for a key of the settings.
var botFlags = [][2]string{
	{"strategy", "bot.strategy"},
	{"bot", "bot.kind"},
	{"game", "bot.game"},
	{"seed", "bot.seed"},
	{"purify", "bot.purify"},
	{"threshold", "bot.threshold"},
	{"solve", "bot.solve"},
	{"solve-from", "bot.solve_from"},
	{"solve-time", "bot.solve_time"},
	{"device", "bot.device"},
	{"log-level", "log.level"},
}

func newPlayACPC() *cobra.Command {
	wanted := 0
	cmd := command("play_acpc", "acpc HOST PORT", "Let a bot play at a poker dealer of the ACPC", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		settings, err := botSettings(cmd.Flags())
		if err := cmp.Or(checkPort(args[1]), err); err != nil {
			return err
		}
		if cmd.Flags().Changed("hands") && wanted < 1 {
			return usererr.Usagef("--hands %d: want at least 1", wanted)
		}
		return playACPC(cmd, net.JoinHostPort(args[0], args[1]), settings, wanted)
	}
	flags := cmd.Flags()
	addBotFlags(flags)
	flags.String("game", "",
		"game of --bot, or of the strategy that comes with the program, as a shipped name or a file")
	flags.IntVar(&wanted, "hands", 0, "hands of the match: fewer are an error")
	return cmd
}

// checkPort returns an error for a text that is no port.
func checkPort(text string) error {
	if port, err := strconv.ParseUint(text, 10, 16); err != nil || port == 0 {
		return usererr.Usagef("%q is not a port, a number from 1 to 65535", text)
	}
	return nil
}

// addBotFlags adds the flags of a poker bot, which botSettings reads.
func addBotFlags(flags *pflag.FlagSet) {
	cli.AddConfig(flags, "bot.seed=7")
	flags.String("strategy", "", "play this strategy file")
	flags.String("bot", "", "play as a plain opponent: random, call, raise, allin or fold")
	flags.Uint64("seed", 0, "seed of the bot's random choices (default random)")
	flags.Bool("purify", true,
		"play the most probable action, not the strategy as it is")
	flags.Float64("threshold", 0, "instead, leave out less probable actions")
	solve := &solvingFlags{}
	solve.Add(flags, "solve")
	solve.AddTime(flags)
	flags.String("device", "cpu", "solve flops and turns there: auto, cpu, cuda or cuda:N")
}

// botSettings returns the settings that the flags of a poker bot describe.
func botSettings(flags *pflag.FlagSet) (configs.Poker, error) {
	var kind []string
	if flags.Changed("strategy") {
		if flags.Changed("bot") {
			return configs.Poker{}, usererr.Usagef("--strategy and --bot cannot be combined")
		}
		kind = append(kind, "bot.kind=strategy")
	}
	for _, name := range []string{"purify", "threshold", "solve", "solve-from", "solve-time", "device"} {
		if flags.Changed("bot") && flags.Changed(name) {
			return configs.Poker{}, usererr.Usagef("--%s has no effect on --bot", name)
		}
	}
	settings := configs.DefaultPoker()
	settings.Bot.Seed = drawSeed()
	return settings, cli.LoadConfig(flags, botFlags, &settings, kind)
}

// drawSeed returns a random seed, which a file of settings can hold. A bot whose seed is
// known plays actions that are known.
func drawSeed() uint64 { return rand.Uint64N(1 << 63) }

// playACPC plays one match and prints its result. Fewer than the wanted hands are an error.
func playACPC(cmd *cobra.Command, addr string, settings configs.Poker, wanted int) error {
	log := logAt(cmd, settings.Log.Level)
	cmd.SetContext(log.WithContext(cmd.Context()))
	player, game, err := seat(cmd, settings.Bot, nil)
	if err != nil {
		return err
	}
	defer logDecisions(&log, player)()

	hands, over, chips := 0, 0, 0.0 // over counts those before a dealer resumed the match, too
	c := client.Client{
		Game:     game,
		Player:   player,
		Decision: settings.Match.DecisionTimeout,
		Idle:     settings.Match.SilenceTimeout,
		OnResult: func(hand uint32, position int, value float64) {
			hands, over = hands+1, int(hand)+1
			chips += value
			log.Debug().Uint32("hand", hand).Int("position", position).Float64("chips", value).Msg("hand over")
		},
		OnLate: func(hand uint32, played acpc.Action) {
			log.Warn().Uint32("hand", hand).Stringer("played", played).Msg("decision too late")
		},
	}
	defer logFaults(&log, &c)()
	conn, err := dial(cmd.Context(), addr, settings.Match.ConnectTimeout, &log)
	if err != nil {
		return err
	}
	log.Info().Str("dealer", addr).Str("game", game.Name).Str("bot", settings.Bot.Kind).
		Uint64("seed", settings.Bot.Seed).Msg("seated")
	err = c.Play(cmd.Context(), dealer.Eager(conn))
	fmt.Fprint(cmd.OutOrStdout(), resultLine(hands, chips, money.UsualIn(game)))
	if err == nil && over < wanted {
		return fmt.Errorf("the dealer closed the connection after %d of %d hands", over, wanted)
	}
	return err
}

// logAt returns the log of a command at the level of its settings, which package configs has checked.
func logAt(cmd *cobra.Command, level string) zerolog.Logger {
	l, _ := zerolog.ParseLevel(level)
	return zerolog.Ctx(cmd.Context()).Level(l)
}

// dial connects to the dealer, and says so once where it has to wait for it.
func dial(ctx context.Context, addr string, patience time.Duration, log *zerolog.Logger) (net.Conn, error) {
	conn, err := client.Dial(ctx, addr, 0)
	if err == nil || patience == 0 || client.NoSuchHost(err) {
		return conn, err
	}
	log.Info().Str("dealer", addr).Stringer("at_most", patience).AnErr("reason", err).Msg("waiting for the dealer")
	return client.Dial(ctx, addr, patience)
}

// resultLine returns the result of a match as a line: in chips, and a hand.
func resultLine(hands int, chips float64, f money.Format) string {
	amount := math.Round(1e6*chips)/1e6 + 0 // shared pots leave fractions, and -0 is 0
	line := usererr.Counted(hands, "hand", "hands") + ", " + money.InChips(strconv.FormatFloat(amount, 'f', -1, 64))
	if unit, chip := f.Column(); hands > 0 {
		line += fmt.Sprintf(", %.*f %s", f.Decimals(), chip*amount/float64(hands), unit)
	}
	return line + "\n"
}

// pokerBot is a bot and its game.
type pokerBot struct {
	game   *acpc.Game
	player func(seat uint64) (acpc.Player, error) // a player of its own for each seat
	from   string                                 // the file of its strategy, or its kind

	// Its strategy, nil if it has none, and how it plays that.
	policy  *policy.Policy
	style   poker.Style
	solving resolving.Options
}

// seat returns the player of a bot at one seat, and its game.
func seat(cmd *cobra.Command, b configs.Bot, clock poker.TimeKeeper) (acpc.Player, *acpc.Game, error) {
	bot, err := openBot(cmd, b, clock)
	if err != nil {
		return nil, nil, err
	}
	player, err := bot.player(0)
	return player, bot.game, err
}

// openBot opens a bot, with the clock of its match if it has one.
func openBot(cmd *cobra.Command, b configs.Bot, clock poker.TimeKeeper) (*pokerBot, error) {
	if b.Kind == "strategy" {
		return openStrategyBot(cmd, b, clock)
	}
	if b.Game == "" {
		return nil, usererr.WithHint(usererr.Usagef("bot %s needs a game to play", b.Kind),
			"give --game with a name that gamebots games lists, or a file")
	}
	game, err := configs.Game(b.Game)
	player := func(seat uint64) (acpc.Player, error) { return poker.NewOpponent(b.Kind, b.Seed+seat) }
	return &pokerBot{game: game, player: player, from: b.Kind}, err
}

// openStrategyBot opens a strategy and reads it through once: a damaged file is
// better known before the match than in it.
func openStrategyBot(cmd *cobra.Command, b configs.Bot, clock poker.TimeKeeper) (*pokerBot, error) {
	if b.Strategy == "" && b.Game == "" {
		return nil, usererr.WithHint(usererr.Usagef("no strategy to play"),
			"give --strategy FILE, --game holdem-limit-2p for the strategy that comes with the program, or --bot "+
				"random --game leduc")
	}
	var game *acpc.Game // nil for that of the strategy
	var err error
	if b.Game != "" {
		if game, err = configs.Game(b.Game); err != nil {
			return nil, err
		}
	}
	if b.Strategy, game, err = fileOrShipped(b.Strategy, game, b.Game); err != nil {
		return nil, err
	}
	solving := solvingOf(b.Solving())
	solving.Keeper = clock
	choice, err := cudalib.ParseChoice(b.Device)
	if err != nil {
		return nil, &configs.Error{Key: "bot.device", Err: err}
	}
	if solving, err = onDevice(cmd, solving, choice); err != nil {
		return nil, err
	}
	p, err := openStrategy(cmd, b.Strategy, game, solving, memory.Available())
	if err != nil {
		return nil, err
	}
	if err := p.Verify(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	warnOfRounds(cmd, p)
	zerolog.Ctx(cmd.Context()).Info().Str("strategy", b.Strategy).Str("cards", p.Buckets.Name()).
		Bool("purify", b.Purify && b.Threshold == 0).Msg("read")
	style := poker.Style{Purify: b.Purify, Threshold: b.Threshold}
	player := func(seat uint64) (acpc.Player, error) { return resolving.New(p, style, b.Seed+seat, solving) }
	return &pokerBot{p.Tree.Game, player, b.Strategy, p, style, solving}, nil
}
