// Package pcs embeds the kernels of public chance sampling in limit games, compiled from
// kernels/pcs.
package pcs

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
