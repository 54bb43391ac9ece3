package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/files"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// convertFlags are the flags of files.
type convertFlags struct {
	from, to, game string
	scale          float64
	skip, force    bool
	bits           int    // a strategy's bits a probability
	rounds         string // a strategy's first rounds
}

// recordFlags have no effect on a strategy, and strategyFlags none on records.
var (
	recordFlags   = []string{"from", "to", "game", "skip", "scale"}
	strategyFlags = []string{"bits", "rounds"}
)

func newConvert() *cobra.Command {
	f := convertFlags{bits: 8, scale: 1}
	cmd := command("convert", "convert IN [OUT]",
		"Convert records of games between formats, or round a strategy", cli.Arguments(1, 2),
		"READABLE", files.Choice(files.Readable), "WRITABLE", files.Choice(files.Writable))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, out := args[0], ""
		if len(args) > 1 {
			out = args[1]
		}
		if end := filepath.Ext(out); files.IsStrategy(in) && (end == "" || end == ".strategy") {
			return f.convertStrategy(cmd, in, out)
		}
		return f.convertRecords(cmd, in, out)
	}
	cli.Bind(cmd, "from", &f.from, "to", &f.to, "game", &f.game, "skip", &f.skip, "force", &f.force, "bits", &f.bits,
		"rounds", &f.rounds, "scale", &f.scale)
	return cmd
}

// convertRecords converts records of games to a file, or to standard output if that is "" or "-".
func (f *convertFlags) convertRecords(cmd *cobra.Command, in, out string) error {
	if err := cmp.Or(f.checkRecords(cmd.Flags().Changed, in), files.CheckRecord(in)); err != nil {
		return err
	}
	job, err := f.job(in, out)
	if err != nil {
		return err
	}
	input := cmd.InOrStdin()
	if in != "-" {
		file, err := os.Open(in)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	if f.skip {
		skipped := newFew(cmd)
		job.OnSkip = func(err error) { skipped.warn().Err(err).Msg("left out") }
	}
	if out == "-" {
		out = ""
	}
	if err := cli.Replaceable(out, "", f.force); err != nil {
		return err
	}
	var done files.Result
	err = cli.WriteOutput(cmd.OutOrStdout(), out, func(w io.Writer) (err error) {
		if done, err = f.run(cmd, job, input, w); err != nil || done.Game == nil || out == "" {
			return err
		}
		return f.writeGame(cmd, done.Game, files.GameBeside(out))
	})
	if err != nil || out == "" {
		return err
	}
	records := usererr.Counted(done.Records, "game", "games")
	if done.From == files.ACPC || done.From == files.PHH {
		records = usererr.Counted(done.Records, "hand", "hands")
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, from %s to %s\n", out, records, done.From, done.To)
	return err
}

// writeGame writes the game that a log needs to be read again.
func (f *convertFlags) writeGame(cmd *cobra.Command, g *acpc.Game, path string) error {
	text := g.String()
	if before, err := os.ReadFile(path); err == nil && string(before) == text {
		return nil
	}
	if err := cli.Replaceable(path, "", f.force); err != nil {
		return err
	}
	if err := atomicfile.Write(path, []byte(text)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: the game of the hands, which the log does not name\n", path)
	return err
}

// checkRecords returns an error for flags that have no effect on records.
func (f *convertFlags) checkRecords(given func(flag string) bool, in string) error {
	for _, name := range strategyFlags {
		if given(name) && !files.IsStrategy(in) {
			if _, err := os.Stat(in); errors.Is(err, fs.ErrNotExist) && in != "-" {
				return err
			}
			return usererr.Usagef("--%s has no effect: %s is not a strategy", name, in)
		}
	}
	return nil
}

// job returns the conversion of records that the flags ask for.
func (f *convertFlags) job(in, out string) (job files.Job, err error) {
	job = files.Job{
		From: files.Format(f.from), To: files.Format(f.to), Name: in, Scale: f.scale,
		One: strings.EqualFold(filepath.Ext(out), ".phh"),
	}
	if in == "-" {
		job.Name = "standard input"
	}
	switch {
	case !(f.scale > 0):
		return job, usererr.Usagef("--scale must be greater than 0")
	case job.To == "" && out != "" && out != "-":
		if job.To = files.FormatOf(out); job.To == "" {
			return job, usererr.WithHint(usererr.Usagef("%s: its extension is not that of a format", out),
				"give --to with one of "+files.List(files.Writable))
		}
	}
	if f.game != "" {
		job.Game, err = configs.Game(f.game)
	}
	return job, err
}

// few warns of the first few of many faults of a kind, and counts all.
type few struct {
	log  *zerolog.Logger
	seen int
}

func newFew(cmd *cobra.Command) *few { return &few{log: zerolog.Ctx(cmd.Context())} }

// maxTold is how many faults of a kind are told one by one.
const maxTold = 10

// warn returns the warning of the next fault, or nil, which logs nothing.
func (f *few) warn() *zerolog.Event {
	if f.seen++; f.seen > maxTold {
		return nil
	}
	return f.log.Warn()
}

// rest says how many more there were than were told.
func (f *few) rest(what string) {
	if more := f.seen - maxTold; more > 0 {
		f.log.Warn().Int("more", more).Msg(what)
	}
}

// run runs a conversion, and warns of information that is lost.
func (f *convertFlags) run(cmd *cobra.Command, job files.Job, in io.Reader, out io.Writer) (files.Result, error) {
	log, lost, doubtful := zerolog.Ctx(cmd.Context()), newFew(cmd), newFew(cmd)
	job.OnLoss = func(what string) { lost.warn().Msg(what) }
	job.OnDoubt = func(what string) { doubtful.warn().Msg(what) }
	done, err := job.Run(cli.Reader(cmd.Context(), in), out)
	if bad := (*history.HandError)(nil); errors.As(err, &bad) {
		return done, usererr.WithHint(err, "--skip leaves such hands out")
	}
	if err != nil {
		return done, err
	}
	lost.rest("what the new format cannot say")
	doubtful.rest("hands that are hardly right")
	if done.Skipped > 0 {
		log.Warn().Int("hands", done.Skipped).Msg("left out in all")
	}
	if done.To == files.ACPC && done.Games > 1 {
		log.Warn().Int("games", done.Games).Msg("the hands are of several games, as their stacks or blinds differ, " +
			"and the log can only be read with each hand's own")
	}
	return done, nil
}
