package main

import (
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

// filesAndMachines is the last group of commands, which has help, too.
const filesAndMachines = "Files and machines"

func newRoot() *cobra.Command {
	cmd := command("gamebots", "gamebots", "Bots for game servers, and the solvers behind them", nil)
	cli.LeadsTo(cmd)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play", []*cobra.Command{newDemo(), newGames(), newPlay(), newServe(), newGTP(), newMCP()}},
		{"Train and judge strategies", []*cobra.Command{
			newTrain(), newEvaluate(), newEstimate(), newJudge(), newPolicy(),
			newShow(), newAbstract(),
		}},
		{"Compete", []*cobra.Command{newArena(), newMatch(), newDealer(), newPackage()}},
		{"Solve games", []*cobra.Command{newSolve(), newAnalyse(), newEquity()}},
		{filesAndMachines, []*cobra.Command{newCheck(), newConvert(), newGPU(), newGrid()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, sub := range group.commands {
			sub.GroupID = group.title
			cmd.AddCommand(sub)
		}
	}
	cmd.SetHelpCommandGroupID(filesAndMachines)
	cmd.AddCommand(newVersion())
	cli.Program(cmd)
	return cmd
}

// Commands are listed in the order in which they are added, the everyday ones first.
func init() { cobra.EnableCommandSorting = false }

func newVersion() *cobra.Command {
	cmd := command("version", "version", "Print the version", cli.Arguments(0, 0))
	cmd.Hidden = true // --version does the same
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cli.PrintVersion(cmd) }
	return cmd
}
