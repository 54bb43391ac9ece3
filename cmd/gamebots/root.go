package main

import (
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	cmd := command("gamebots", "gamebots", "Bots for game servers, and the solvers behind them", nil)
	cli.LeadsTo(cmd)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Start", []*cobra.Command{newDemo(), newGames()}},
		{"Play", []*cobra.Command{newPlay(), newServe(), newGTP(), newMCP()}},
		{"Train and judge strategies", []*cobra.Command{
			newTrain(), newEvaluate(), newEstimate(), newJudge(), newPolicy(),
			newShow(), newAbstract(),
		}},
		{"Compete", []*cobra.Command{newArena(), newMatch(), newDealer(), newPackage()}},
		{"Solve games", []*cobra.Command{newSolve(), newAnalyse(), newEquity()}},
		{"Files", []*cobra.Command{newCheck(), newConvert()}},
		{"Machines", []*cobra.Command{newGPU(), newGrid()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, sub := range group.commands {
			sub.GroupID = group.title
			cmd.AddCommand(sub)
		}
	}
	cmd.AddCommand(newVersion())
	cli.Program(cmd)
	return cmd
}

// Commands are listed in the order in which they are added, the everyday ones first.
func init() { cobra.EnableCommandSorting = false }

func newVersion() *cobra.Command {
	cmd := command("version", "version", "Print the version", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cli.PrintVersion(cmd) }
	return cmd
}
