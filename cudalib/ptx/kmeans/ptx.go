// Package kmeans embeds the kernels for k-means, compiled from kernels/kmeans.
package kmeans

import "embed"

// Modules are the files NAME.ptx.gz, one for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
