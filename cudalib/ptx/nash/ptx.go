// Package nash embeds the kernels for searches for Nash equilibria, compiled from kernels/nash.
package nash

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
