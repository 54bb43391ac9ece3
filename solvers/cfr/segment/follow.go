package segment

// Follow sets a player's reach of a hand at the start of the next round, in the lanes that follow
// on a part. Row is the player's strategy there with the hand, by column and lane. Before and
// after are by lane of their rounds.
func Follow(p *Part, player int, row, before, after []float32) {
	for deal, path := range p.Paths[player] {
		for lane, next := range p.Next[deal*p.Width:][:p.Lanes] {
			if next == None {
				continue
			}
			x := before[p.First+lane]
			for _, column := range path {
				x *= row[int(column)*p.Width+lane]
			}
			after[next] = x
		}
	}
}
