// Package boardwise embeds the kernels of training board by board, compiled from
// kernels/boardwise.
package boardwise

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
