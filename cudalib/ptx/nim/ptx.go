// Package nim embeds the kernels for Nim searches, compiled from kernels/nim.
package nim

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
