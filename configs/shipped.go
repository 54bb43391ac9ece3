package configs

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gamebots/internal/usererr"
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

// loadShipped is [Load] for a file of a folder that comes with the program, by its name, or any other one by its path.
func loadShipped(
	files embed.FS, folder, nameOrPath string, into Settings, overrides []string, checks ...func() error,
) error {
	if text, err := files.ReadFile(folder + "/" + nameOrPath + ".toml"); err == nil {
		return load(nameOrPath+".toml", string(text), into, overrides, checks...)
	}
	return Load(nameOrPath, into, overrides, checks...)
}

// shippedHint says which of the shipped names an unknown one was probably meant to be, and lists all.
func shippedHint(what, name string, all []string) string {
	list := fmt.Sprintf("the shipped %s are %s", what, strings.Join(all, ", "))
	if near := usererr.Meant(name, all); near != "" {
		list = fmt.Sprintf("did you mean %s? %s", near, list)
	}
	return list
}
