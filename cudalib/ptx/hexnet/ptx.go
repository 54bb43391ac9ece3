// Package hexnet embeds the kernels for residual networks, compiled from kernels/hexnet.
package hexnet

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
