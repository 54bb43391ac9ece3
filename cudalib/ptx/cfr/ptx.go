// Package cfr embeds the kernels for vector-form CFR, compiled from kernels/cfr.
package cfr

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
