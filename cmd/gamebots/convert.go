package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gamebots/acpc/history"
	"gamebots/bots/convert"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newConvert() *cobra.Command {
	var f struct {
		from, to, game string
		scale          float64
		bits           int
		rounds         string
		skip, force    bool
	}
	cmd := &cobra.Command{
		Use:   "convert IN [OUT]",
		Short: "Convert records of games between formats, or round a strategy",
		Long: `convert converts records of games between formats:
  acpc    a poker dealer's log (.log)
  phh     poker hand histories in TOML (.phhs; .phh is one hand)
  hgf     games of Havannah (.hgf, .sgf)
  text    games of Havannah and Nim, one per line (.txt)
  csv     a table of hands or games (.csv); written only
  jsonl   one JSON object per line (.jsonl); written only

Formats follow from the file names and from the start of the input. By default a
log becomes PHH and vice versa, and HGF becomes text and vice versa; --to
selects another format. A log converted to PHH and back is the same to the byte.
IN may be - for standard input; without OUT the result goes to standard output.

The game of a log is the one that its header names, beside the log or among the
shipped games; --game overrides it. Errors name the file and line, and leave OUT
as it was. An OUT that exists needs --force.

If IN is a strategy, OUT is the same strategy with its probabilities rounded to
--bits, by default 8. With 4 bits the file is a tenth as large; gamebots
evaluate shows what the rounding costs. --rounds preflop,flop keeps only these
rounds, for a bot that solves the others in play, by --solve and --solve-from of
gamebots play acpc.

More: docs/convert.md`,
		Example: `  gamebots convert demo.log demo.phhs
  gamebots convert demo.phhs again.log
  gamebots convert demo.log --to csv
  gamebots convert games.hgf games.txt
  gamebots convert --from acpc --game leduc --to jsonl - <match.log
  gamebots convert trained.strategy small.strategy --bits 4
  gamebots convert trained.strategy early.strategy --rounds preflop,flop`,
		Args: cli.Arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			job := convert.Job{From: convert.Format(f.from), To: convert.Format(f.to), Name: args[0], Scale: f.scale, OpenGame: configs.Game}
			if !(f.scale > 0) {
				return usererr.Usagef("--scale must be greater than 0")
			}
			if isStrategy(args[0]) && (len(args) < 2 || convert.FormatOf(args[1]) == "") {
				if err := onlyStrategyFlags(cmd, args); err != nil {
					return err
				}
				return convertStrategy(cmd, args[0], args[1], f.bits, f.rounds, f.force)
			}
			for _, name := range []string{"bits", "rounds"} {
				if cmd.Flags().Changed(name) && !isStrategy(args[0]) {
					if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) && args[0] != "-" {
						return err
					}
					return usererr.Usagef("--%s has no effect: %s is not a strategy", name, args[0])
				}
			}
			if len(args) > 1 && filepath.Ext(args[1]) == ".efg" {
				return usererr.WithHint(usererr.Usagef("%s: extensive games are not records of games", args[1]), "gamebots solve extensive GAME --write FILE.efg writes one")
			}
			if f.game != "" {
				var err error
				if job.Game, err = configs.Game(f.game); err != nil {
					return err
				}
			}
			var in io.Reader = cmd.InOrStdin()
			if args[0] == "-" {
				job.Name = "standard input"
			} else {
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			if f.skip {
				job.OnSkip = telling(cmd)
			}
			if err := needRecord(args[0]); err != nil {
				return err
			}
			if len(args) > 1 && args[1] != "-" {
				if err := cli.Replaceable(args[1], "", f.force); err != nil {
					return err
				}
			}
			return runConvert(cmd, job, in, args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "format of IN: acpc, phh, hgf or text")
	flags.StringVar(&f.to, "to", "", "format of OUT: acpc, phh, hgf, text, csv or jsonl")
	flags.StringVar(&f.game, "game", "", "game of a log: a shipped game's name or a file")
	flags.BoolVar(&f.skip, "skip", false, "leave out hands of PHH that cannot be read, or that a log cannot express")
	cli.AddForce(flags, &f.force)
	flags.IntVar(&f.bits, "bits", 8, "bits of a strategy's probability, 1 to 8")
	flags.StringVar(&f.rounds, "rounds", "", "first rounds of a strategy that OUT has, as in preflop,flop or 1,2 (default all)")
	flags.Float64Var(&f.scale, "scale", 1, "chips per unit of PHH, as in 100 for dollars and cents")
	return cmd
}

// telling warns of the first few of many errors.
func telling(cmd *cobra.Command) func(error) {
	log, told := zerolog.Ctx(cmd.Context()), 0
	return func(err error) {
		if told++; told <= 10 {
			log.Warn().Err(err).Msg("left out")
		}
	}
}

// hintConvert adds the advice that names flags.
func hintConvert(err error, problem convert.Problem) error {
	switch problem {
	case convert.UnknownInput:
		return usererr.WithHint(err, "give --from with one of "+convert.List(convert.Readable))
	case convert.BadFrom:
		return usererr.WithHint(err, "--from is one of "+convert.List(convert.Readable))
	case convert.BadTo:
		return usererr.WithHint(err, "--to is one of "+convert.List(convert.Writable))
	case convert.NoGame:
		return usererr.WithHint(err, "give --game with a name that gamebots games lists, or a file")
	}
	return err
}

// runConvert converts to a file, or to standard output.
func runConvert(cmd *cobra.Command, job convert.Job, in io.Reader, out []string) (err error) {
	log := zerolog.Ctx(cmd.Context())
	lost := 0
	job.OnLoss = func(what string) {
		if lost++; lost <= 10 {
			log.Warn().Msg(what)
		}
	}
	w := cmd.OutOrStdout()
	var file *atomicfile.File
	if len(out) > 0 && out[0] != "-" {
		if job.To == "" {
			if job.To = convert.FormatOf(out[0]); job.To == "" {
				return usererr.WithHint(usererr.Usagef("%s: its extension is not that of a format", out[0]), "give --to with one of "+convert.List(convert.Writable))
			}
		}
		job.One = strings.EqualFold(filepath.Ext(out[0]), ".phh")
		if file, err = atomicfile.Create(out[0]); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Cleanup()) }()
		w = file
	}
	done, err := job.Run(in, w)
	if bad := (*convert.UsageError)(nil); errors.As(err, &bad) {
		return usererr.Usage(hintConvert(err, bad.Problem))
	}
	if bad := (*history.HandError)(nil); errors.As(err, &bad) {
		return usererr.WithHint(err, "--skip leaves such hands out")
	}
	if err != nil {
		return err
	}
	if lost > 10 {
		log.Warn().Int("more", lost-10).Msg("what the new format cannot say")
	}
	if done.Skipped > 0 {
		log.Warn().Int("hands", done.Skipped).Msg("left out in all")
	}
	if done.To == convert.ACPC && done.Games > 1 {
		log.Warn().Int("games", done.Games).Msg("the hands are of several games, as their stacks or blinds differ, and the log can only be read with each hand's own")
	}
	if file == nil {
		return nil
	}
	if err := file.Commit(); err != nil {
		return err
	}
	what := "game"
	if done.From == convert.ACPC || done.From == convert.PHH {
		what = "hand"
	}
	if done.Records != 1 {
		what += "s"
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d %s, from %s to %s\n", out[0], done.Records, what, done.From, done.To)
	return err
}
