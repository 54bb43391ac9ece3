// Package cfrbr embeds the kernels of CFR-BR in limit games, compiled from kernels/cfrbr.
package cfrbr

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
