// Package br embeds the kernels of best responses, compiled from kernels/br.
package br

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
