// Package mccfr embeds the kernels for Monte-Carlo CFR, compiled from kernels/mccfr.
package mccfr

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
