package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gamebots/bots/grid/jobs"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/chart"
	"gamebots/internal/parallel"
	"gamebots/internal/progress"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/equilibria"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
	"gamebots/solvers/nash/path"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// nashFlags are the flags of solve nash.
type nashFlags struct {
	gameSource
	method    string
	device    cudalib.Choice
	threads   int
	json      bool
	write     string
	test      string
	pure      bool
	path      string
	symmetric bool
	families  bool
	force     bool
	grid      gridflags.Flags
}

func newSolveNash() *cobra.Command {
	var f nashFlags
	cmd := explain(&cobra.Command{
		Use:   "nash [GAME]",
		Short: "Find all Nash equilibria of a game",
		Args:  cli.Arguments(0, 1),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}, "solve_nash")
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", string(nash.Auto),
		"search method: auto, support, labels, lemke-howson, polymatrix, global-newton or logit; nguyen and grosu for "+
			"comparison")
	cli.AddDevice(flags, &f.device, "where to search: auto, cpu, cuda or cuda:N")
	cli.AddThreads(flags, &f.threads, "threads to use; the result is the same for any number")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	f.gameSource.add(flags)
	flags.StringVar(&f.write, "write", "", "write the game to this file instead of solving it")
	flags.StringVar(&f.test, "test-degeneracy", string(nash.TestAuto),
		"test whether the game is degenerate: auto (up to 40 strategies in all), always or never")
	cli.AddForce(flags, &f.force)
	flags.BoolVar(&f.pure, "pure", false, "find the pure equilibria only, of any number of players")
	flags.StringVar(&f.path, "path", "",
		"with --method logit: write the quantal response equilibria to this .csv FILE, or draw them into a .png or "+
			".svg `FILE`")
	flags.BoolVar(&f.symmetric, "symmetric", false,
		"find the equilibria of a symmetric game in which all players do the same")
	flags.BoolVar(&f.families, "families", false, "list the families of games")
	f.grid.Add(flags)
	cli.Settings(cmd, append(gridflags.Rare(), "low", "high", "test-degeneracy", "force")...)
	return cmd
}

func (f *nashFlags) run(cmd *cobra.Command, args []string) error {
	if f.families {
		return f.printFamilies(cmd.OutOrStdout())
	}
	given := cmd.Flags().Changed
	spec, err := f.spec(given)
	if err != nil {
		return err
	}
	g, err := f.gameSource.read(cmd, args)
	switch {
	case err != nil:
		return err
	case f.write != "":
		return f.writeGame(g)
	}
	if err := f.refuse(spec.Search(len(g.Sizes)), given); err != nil {
		return err
	}
	return f.solve(cmd, g, spec)
}

// printFamilies lists the families of games, with --json as one object a line.
func (f *nashFlags) printFamilies(w io.Writer) error {
	type family struct {
		Name  string `json:"name"`
		About string `json:"about"`
	}
	var all []family
	for _, line := range game.Families() {
		name, about, _ := strings.Cut(line, ": ")
		all = append(all, family{name, about})
	}
	if f.json {
		return cli.PrintLines(w, all)
	}
	for _, one := range all {
		fmt.Fprintf(w, "%s: %s\n", one.Name, one.About)
	}
	return nil
}

// spec returns what the flags ask for. given reports whether a flag was set.
func (f *nashFlags) spec(given func(flag string) bool) (equilibria.Spec, error) {
	method, err := equilibria.ParseMethod(f.method)
	if err != nil {
		return equilibria.Spec{}, usererr.Usagef("--method: %w", err)
	}
	test, err := nash.ParseDegeneracyTest(f.test)
	lemkeHowson := method == equilibria.Method(nash.LemkeHowson)
	switch {
	case err != nil:
		err = usererr.Usagef("--test-degeneracy: %w", err)
	case f.path != "" && method != equilibria.Logit:
		err = usererr.Usagef("--path needs --method %s", equilibria.Logit)
	case f.force && f.write == "":
		err = usererr.Usagef("--force has no effect without --write")
	case lemkeHowson && given("test-degeneracy"):
		err = usererr.Usagef("--test-degeneracy has no effect on --method %s", method)
	case lemkeHowson && f.device.GPU():
		err = usererr.Usagef("--method %s runs on the CPU only", method)
	case f.grid.NATS != "" && (method != equilibria.Auto && method != equilibria.Method(nash.Labels) || f.device.GPU()):
		err = usererr.Usagef("--nats: only a search by labels on CPUs can be spread over machines")
	case f.path != "" && filepath.Ext(f.path) != ".csv":
		if err = chart.Drawable("--path", f.path); err != nil {
			err = usererr.WithHint(err, "a .csv file gets the numbers")
		}
	}
	return equilibria.Spec{
		Method: method, Pure: f.pure, Symmetric: f.symmetric, Threads: f.threads,
		Matrices: nash.Options{TestDegeneracy: test, Progress: new(nash.Progress)},
	}, err
}

// refuse refuses flags that a search does not have.
func (f *nashFlags) refuse(search equilibria.Search, given func(flag string) bool) error {
	what, not := "", []string{"method", "device", "test-degeneracy", "nats"}
	switch search {
	case equilibria.ByPairs, equilibria.ByPath:
		what, not = "--method "+f.method, []string{"device", "test-degeneracy", "nats", "pure", "symmetric"}
	case equilibria.ByPopulation:
		what, not = "--symmetric", append(not, "pure")
	case equilibria.ByCells:
		what = "--pure"
	case equilibria.ByDivision:
		what = "games of more than two players"
	default:
		return f.grid.Check()
	}
	for _, name := range not {
		switch {
		case !given(name) || name == "method" && f.method == string(equilibria.Auto):
		case name == "method":
			return usererr.WithHint(usererr.Usagef("--method %s is not for %s", f.method, what),
				"leave it out, or give a method for any number of players: polymatrix, global-newton or logit")
		default:
			return usererr.Usagef("--%s is not for %s", name, what)
		}
	}
	return f.grid.Check()
}

// writeGame writes the game to the file of --write.
func (f *nashFlags) writeGame(g *game.NormalForm) error {
	if err := cli.Replaceable(f.write, "--write FILE", f.force); err != nil {
		return err
	}
	text := g.NFG()
	if len(g.Players) == 2 && filepath.Ext(f.write) != ".nfg" {
		text = g.Bimatrix().LRS()
	}
	return atomicfile.Write(f.write, text)
}

// solve finds equilibria and prints them, also those of a stopped search.
func (f *nashFlags) solve(cmd *cobra.Command, g *game.NormalForm, spec equilibria.Spec) error {
	if f.path != "" {
		spec.OnPath = func(p *path.LogitPath) error { return f.writePath(g, p) }
	}
	find := equilibria.Find
	if spec.Search(len(g.Sizes)) == equilibria.ByMatrices {
		find = func(context.Context, *game.NormalForm, equilibria.Spec) (equilibria.Answer, error) {
			return f.solveMatrices(cmd, g, spec)
		}
	}
	defer shutdown.Inhibit("printing the equilibria found so far")()
	answer, err := find(cmd.Context(), g, spec)
	if answer != nil {
		if err := f.print(cmd, answer); err != nil {
			return err
		}
	}
	found, ofTwo := answer.(equilibria.Matrices)
	switch {
	case errors.Is(err, context.Canceled) && answer == nil:
		return errors.New("interrupted before an equilibrium was found")
	case errors.Is(err, context.Canceled) && ofTwo && found.Result.Complete:
		return errors.New("interrupted before the equilibria were grouped into Nash subsets")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: there may be more equilibria")
	case errors.Is(err, equilibria.ErrNotPolymatrix):
		return usererr.WithHint(err, "leave --method out")
	case errors.Is(err, game.ErrTooLarge), errors.Is(err, multiplayer.ErrTooLarge):
		return usererr.WithHint(fmt.Errorf("the game is too large: %w", err),
			"--method logit and --method global-newton find one, and --pure finds the pure equilibria")
	}
	return err
}

// print prints what was found. If the search was not stopped, printing can be: there may be very much.
func (f *nashFlags) print(cmd *cobra.Command, answer equilibria.Answer) error {
	ctx := cmd.Context()
	slow := time.AfterFunc(time.Second, func() { zerolog.Ctx(ctx).Info().Msg("writing the equilibria") })
	defer slow.Stop()
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	_, err := parallel.Await(ctx, func() (any, error) { return nil, cli.Print(cmd.OutOrStdout(), f.json, answer) })
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted while the equilibria were written")
	}
	return err
}

// solveMatrices finds the equilibria of two players, and shows its progress.
func (f *nashFlags) solveMatrices(
	cmd *cobra.Command, g *game.NormalForm, spec equilibria.Spec,
) (equilibria.Answer, error) {
	if err := g.Bimatrix().Check(); err != nil {
		return nil, err
	}
	where, end, err := f.place(cmd.Context(), g.Bimatrix(), &spec)
	if err != nil {
		return nil, err
	}
	defer func() { _ = end() }()
	log := zerolog.Ctx(cmd.Context())
	log.Debug().Str("device", where).Msg("searching")
	done := watchNash(cmd, spec.Matrices.Progress)
	start, tested := time.Now(), time.Duration(0)
	spec.Matrices.OnTested = func() { tested = time.Since(start) }
	answer, err := equilibria.Find(cmd.Context(), g, spec)
	done()
	if found, ok := answer.(equilibria.Matrices); ok {
		found.Result.Stats.DegeneracySeconds = float64(tested.Milliseconds()) / 1000
		log.Debug().Str("method", string(found.Result.Stats.Method)).Dur("time", time.Since(start)).Msg("solved")
	}
	return answer, err
}

// place chooses where a search for equilibria of two players is made: on a grid, on a GPU or here.
func (f *nashFlags) place(
	ctx context.Context, g *game.Game, spec *equilibria.Spec,
) (where string, end func() error, err error) {
	o := &spec.Matrices
	o.Method = nash.Method(spec.Method)
	if f.grid.NATS != "" {
		on, end, err := f.grid.Open(ctx, f.threads)
		o.Distribute = jobs.DistributeNash(on, g)
		return "a grid", end, err
	}
	where, end = "the CPU", func() error { return nil }
	if f.device.GPU() || o.DeviceWorthwhile(g) {
		if o.Device, where, err = f.device.Open(); o.Device != nil {
			end = o.Device.Close
		}
	}
	if err == nil && o.Device == nil && o.Method == nash.Grosu {
		err = fmt.Errorf("--method %s needs a GPU: it would run on %s", o.Method, where)
	}
	return where, end, err
}

// watchNash shows the progress of a search until done is called.
func watchNash(cmd *cobra.Command, watch *nash.Progress) (done func()) {
	return progress.Watch(cmd.ErrOrStderr(), "", func(bar *progress.Bar) {
		part, found := watch.Part(), watch.Found()
		done, left := fmt.Sprintf("%.1f%%", 100*part), progress.TimeLeft(bar.Start, part)
		if !bar.Show(part, fmt.Sprintf("%s, %d equilibria, %s left", done, found, left)) {
			log := zerolog.Ctx(cmd.Context()).Info().Str("done", done).Int("equilibria", found)
			log.Str("left", left).Msg("searching")
		}
	})
}

// writePath writes the table of a path to the file of --path, or draws the probabilities of each
// player's strategies by lambda.
func (f *nashFlags) writePath(g *game.NormalForm, p *path.LogitPath) error {
	if filepath.Ext(f.path) == ".csv" {
		return atomicfile.Write(f.path, p.CSV(g))
	}
	var charts []*plot.Plot
	for player, names := range g.Names() {
		curves := make([]chart.Curve, len(names))
		for s, name := range names {
			curves[s].Name = name
			for _, at := range p.Points[1:] { // lambda is 0 at the first
				curves[s].Points = append(curves[s].Points, plotter.XY{X: at.Lambda, Y: at.Strategies[player][s]})
			}
		}
		c, err := chart.NewLines("player "+strconv.Itoa(player+1), "lambda", "probability", curves...)
		if err != nil {
			return err
		}
		chart.LogX(c)
		c.Y.Min, c.Y.Max = 0, 1
		charts = append(charts, c)
	}
	return chart.Draw(f.path, charts...)
}
