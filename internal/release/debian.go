package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// home is where a Debian package has the program, beside its strategies and settings, as in an archive.
const home = "/usr/lib/gamebots"

// places are where Debian wants the files that are not of home.
var places = map[string]string{
	"share/gamebots.1":      "/usr/share/man/man1/gamebots.1",
	"share/completion.bash": "/usr/share/bash-completion/completions/gamebots",
	"share/completion.zsh":  "/usr/share/zsh/vendor-completions/_gamebots",
	"share/completion.fish": "/usr/share/fish/vendor_completions.d/gamebots.fish",
	"LICENSE":               "/usr/share/doc/gamebots/copyright",
	"THIRD_PARTY.txt":       "/usr/share/doc/gamebots/THIRD_PARTY.txt",
	"MODULES.txt":           "/usr/share/doc/gamebots/MODULES.txt",
}

// debian makes a package of files, with a unit of systemd that serves on this machine.
func (s source) debian(arch string, all []file) error {
	scratch, err := os.MkdirTemp("", "gamebots-debian-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	const own = "internal/release/debian/"
	contents := files.Contents{
		{Source: home + "/gamebots", Destination: "/usr/bin/gamebots", Type: files.TypeSymlink},
		{Source: own + "gamebots.service", Destination: "/usr/lib/systemd/system/gamebots.service"},
		{Source: own + "gamebots.sysusers", Destination: "/usr/lib/sysusers.d/gamebots.conf"},
		{Source: own + "default", Destination: "/etc/default/gamebots", Type: files.TypeConfigNoReplace},
	}
	for i, f := range all {
		to := places[f.name]
		switch {
		case to != "":
		case strings.HasPrefix(f.name, "docs/") || strings.HasSuffix(f.name, ".md") && path.Dir(f.name) == ".":
			to = path.Join("/usr/share/doc/gamebots", f.name)
		case strings.HasPrefix(f.name, "share/"):
			continue
		default:
			to = path.Join(home, f.name)
		}
		from := f.from
		if f.data != nil {
			from = fmt.Sprintf("%s/%d", scratch, i)
			if err := os.WriteFile(from, f.data, 0o644); err != nil {
				return err
			}
		}
		contents = append(contents, &files.Content{Source: from, Destination: to,
			FileInfo: &files.ContentFileInfo{Mode: f.mode}})
	}
	for _, c := range contents {
		if c.FileInfo == nil {
			c.FileInfo = &files.ContentFileInfo{Mode: 0o644}
		}
		c.FileInfo.MTime, c.FileInfo.Owner, c.FileInfo.Group = s.time, "root", "root"
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "gamebots", Arch: arch, Platform: "linux", Version: s.version, MTime: s.time, License: "MIT",
		Section: "games", Priority: "optional", Maintainer: "the gamebots authors <gamebots@localhost>",
		Description:     "bots for game servers, and the solvers behind them\n" + about,
		DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Contents: contents, Recommends: []string{"ca-certificates"},
			Scripts: nfpm.Scripts{PostInstall: own + "postinst", PreRemove: own + "prerm"},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	name := path.Join(out, deb.Default.ConventionalFileName(info))
	return create(name, func(w io.Writer) error { return deb.Default.Package(info, w) })
}

const about = `Trains poker strategies by counterfactual regret minimisation, finds equilibria of
matrix games, plays Havannah and Nim, serves games to people and bots, and takes
bots to poker dealers and game servers.`
