package configs

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// shippedNames returns the names of the files of a folder that come with the program, without
// their extension, sorted.
func shippedNames(files embed.FS, folder, extension string) (names []string) {
	paths, err := fs.Glob(files, folder+"/*"+extension)
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(path.Base(p), extension))
	}
	slices.Sort(names) // without the extension kuhn comes before kuhn-3p
	return names
}
