// Package gumbel embeds the kernels that search by Gumbel, compiled from kernels/gumbel.
package gumbel

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
