// Package havannah embeds the kernels for Havannah playouts, compiled from kernels/havannah.
package havannah

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
