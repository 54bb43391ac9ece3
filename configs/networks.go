package configs

import "embed"

//go:embed networks/*.net
var networks embed.FS

// Network returns a shipped network by the name of its game, as the content of its file.
func Network(game string) (content []byte, shipped bool) {
	content, err := networks.ReadFile("networks/" + game + ".net")
	return content, err == nil
}
