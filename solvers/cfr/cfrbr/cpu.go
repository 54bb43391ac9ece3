package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/pcs"
)

// cpu trains on this computer.
type cpu struct {
	*Game
	local   pcs.Local
	threads int
	// trunkRegrets are those of the opponent of each player, by part of the trunk: by hand,
	// column and lane.
	trunkRegrets [2][][]float32
}

func newCPU(g *Game, threads int) *cpu {
	return &cpu{Game: g, local: pcs.NewLocal(g.Game), threads: max(1, threads)}
}

// train trains both players on a unit.
func (c *cpu) train(u *unit, update pcsgpu.Update) error {
	for _, p := range c.players {
		t := c.iteration(u, p, update)
		t.respond()
		t.learn()
	}
	return nil
}

// iteration returns that of a player on a unit.
func (c *cpu) iteration(u *unit, player int, update pcsgpu.Update) *iteration {
	t := &iteration{cpu: c, unit: u, update: update, player: player, opponent: 1 - player}
	for part := range c.layout.Parts {
		t.learned = append(t.learned, c.local.Rows(player, part).Strategy)
	}
	return t
}

// trunkTable returns the regrets of the opponent of a player in a part of the trunk.
func (c *cpu) trunkTable(player, part int) ([]float32, error) {
	if c.trunkRegrets[player] == nil {
		for i := range c.trunkParts() {
			c.trunkRegrets[player] = append(c.trunkRegrets[player], make([]float32, c.trunkEntries(player, i)))
		}
	}
	return c.trunkRegrets[player][part], nil
}

// setTrunkTable sets them.
func (c *cpu) setTrunkTable(player, part int, regrets []float32) error {
	to, err := c.trunkTable(player, part)
	copy(to, regrets)
	return err
}
