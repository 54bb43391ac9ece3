// Package probe embeds the kernels for measurements of a device, compiled from kernels/probe.
package probe

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
