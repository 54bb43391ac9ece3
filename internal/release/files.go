package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

// A file of a release: the bytes of another, or these.
type file struct {
	name string // the path below the release's folder, with slashes
	from string
	data []byte
	mode fs.FileMode
}

func (f file) read() ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return os.ReadFile(f.from)
}

// shown are the files that users read: pages, settings, games, menus, spots and the like.
var shown = []string{
	"LICENSE", "CITATION.cff", "*.md", "docs/*.md", "docs/*.txt", "docs/*.json", "docs/*/*", "configs/*.toml",
	"configs/abstractions/*", "configs/games/*", "configs/menus/*", "configs/spots/*", "configs/networks/*",
	"configs/strategies/README.md",
}

// papers returns what goes along with the program of any system.
func papers(ctx context.Context, host string) (files []file, err error) {
	if files, err = matching(ctx, shown...); err != nil {
		return nil, err
	}
	text, err := os.ReadFile("docs/commands.md")
	if err != nil {
		return nil, err
	}
	_, commands, _ := strings.Cut(string(text), "\n") // its heading
	manual := "% \"gamebots\" \"1\"\n# NAME\ngamebots - bots for game servers, and the solvers behind them\n" +
		"# COMMANDS\n" + links.ReplaceAllString(commands, "$1")
	files = append(files, file{name: "THIRD_PARTY.txt", from: "bots/submission/THIRD_PARTY.txt", mode: 0o644},
		file{name: "share/gamebots.1", data: md2man.Render([]byte(manual)), mode: 0o644})
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script, err := output(ctx, host, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "share/completion." + shell, data: []byte(script), mode: 0o644})
	}
	return files, nil
}

// strategies returns those of games, by default all.
func strategies(ctx context.Context, games []string) ([]file, error) {
	if len(games) == 0 {
		games = []string{"*"}
	}
	patterns := make([]string, len(games))
	for i, game := range games {
		patterns[i] = "configs/strategies/" + game + ".strategy"
	}
	return matching(ctx, patterns...)
}

// links match what a manual page cannot follow.
var links = regexp.MustCompile(`\[([^]]+)\]\([^)]+\)`)

// matching returns the files of the source that match patterns. Others that lie about in the checkout, such as
// strategies that somebody has trained, are none of a release.
func matching(ctx context.Context, patterns ...string) (files []file, err error) {
	for _, pattern := range patterns {
		list, err := output(ctx, "git", "ls-files", "-z", "--", ":(glob)"+pattern)
		if err != nil {
			return nil, err
		}
		if list == "" {
			return nil, fmt.Errorf("no file %s", pattern)
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
			files = append(files, file{name: name, from: filepath.FromSlash(name), mode: 0o644})
		}
	}
	return files, nil
}

// archive packs files in a folder of the archive's name, for Windows as zip and else as tar.gz.
func (s source) archive(to, goos string, files []file) error {
	folder := path.Base(strings.TrimSuffix(filepath.ToSlash(to), "-small"))
	files = slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
	if goos == "windows" {
		return create(to+".zip", func(w io.Writer) error { return s.zip(w, folder, files) })
	}
	return create(to+".tar.gz", func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		if err := s.tar(z, folder, files, 0); err != nil {
			return err
		}
		return z.Close()
	})
}

func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (s source) zip(w io.Writer, folder string, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: s.time}
		h.SetMode(f.mode)
		entry, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// tar writes files, and folders by their mode, of a user by number.
func (s source) tar(w io.Writer, folder string, files []file, owner int) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		h := &tar.Header{
			Name: path.Join(folder, f.name), Mode: int64(f.mode.Perm()), ModTime: s.time, Uid: owner, Gid: owner,
			Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		}
		var data []byte
		if f.mode.IsDir() {
			h.Name, h.Typeflag = h.Name+"/", tar.TypeDir
		} else {
			var err error
			if data, err = f.read(); err != nil {
				return err
			}
			h.Size = int64(len(data))
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return t.Close()
}
