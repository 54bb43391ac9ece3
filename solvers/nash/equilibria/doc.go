// Package equilibria finds equilibria of two players by a method of one's choice, and writes them
// for people and as JSON.
//
//	g, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: 3, Cols: 3})
//	answer, err := equilibria.Find(ctx, g, equilibria.Spec{})
//	err = answer.WriteText(os.Stdout)
//
// All equilibria are found by package nash. The pure ones, and the symmetric ones of a symmetric game,
// are found here, exactly.
package equilibria
