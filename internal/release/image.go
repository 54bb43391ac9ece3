package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user of an image's program, by a number that no distribution gives to people.
const nobody = 65532

// image writes an image from scratch, of the OCI's layout: the program, and folders that it may
// write to. Without support for GPUs the program needs no system library, and there is none.
func (s source) image(ctx context.Context, to, goarch string, papers []file) error {
	static, err := s.program(ctx, "linux", goarch, "nogpu")
	if err != nil {
		return err
	}
	own := []file{{name: "data", mode: fs.ModeDir | 0o700}, {name: "tmp", mode: fs.ModeDir | 0o777}}
	program := slices.Concat(static, papers)
	for i := range program {
		program[i].name = strings.TrimPrefix(home, "/") + "/" + program[i].name
	}
	var layers []v1.Layer
	for _, part := range []struct {
		files []file
		owner int
	}{{program, 0}, {own, nobody}} {
		var packed bytes.Buffer
		if err := s.tar(&packed, "", part.files, part.owner); err != nil {
			return err
		}
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
		}, tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return err
		}
		layers = append(layers, layer)
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.AppendLayers(base, layers...)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{
		OS: "linux", Architecture: goarch, Created: v1.Time{Time: s.time}, RootFS: config.RootFS,
		Config: v1.Config{
			Entrypoint: []string{home + "/gamebots"}, Cmd: []string{"--help"}, User: "65532:65532", WorkingDir: "/data",
			Env: []string{"HOME=/data"}, Volumes: map[string]struct{}{"/data": {}},
			ExposedPorts: map[string]struct{}{"8080/tcp": {}},
			Labels: map[string]string{
				"org.opencontainers.image.title": "gamebots", "org.opencontainers.image.version": s.version,
				"org.opencontainers.image.revision": s.commit, "org.opencontainers.image.licenses": "MIT",
			},
		},
	})
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "gamebots-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	oci, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	err = oci.AppendImage(image, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": s.version, "io.containerd.image.name": "gamebots:" + s.version,
	}))
	if err != nil {
		return err
	}
	var packed []file
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		inside, err := filepath.Rel(folder, name)
		packed = append(packed, file{name: filepath.ToSlash(inside), from: name, mode: 0o644})
		return err
	})
	if err != nil {
		return err
	}
	return create(to, func(w io.Writer) error { return s.tar(w, "", packed, 0) })
}
