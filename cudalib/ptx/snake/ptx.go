// Package snake embeds the kernels for snake searches, compiled from kernels/snake.
package snake

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
