package hexnetgpu

// NumTiles returns how many kinds of tiles there are.
func (e *Evaluator) NumTiles() int { return len(e.tiles) }

// OnlyTile makes all plans have tiles of one kind.
func (e *Evaluator) OnlyTile(i int) {
	e.tiles, e.kernels = e.tiles[i:i+1], e.kernels[i:i+1]
}
