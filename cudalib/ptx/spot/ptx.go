// Package spot embeds the kernels of spots of no-limit hold'em, compiled from kernels/spot.
package spot

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
