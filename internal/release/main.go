package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	systems := flag.String("systems", "linux/amd64", "what to build for, as in linux/amd64,windows/amd64")
	games := flag.String("games", "", "games whose strategies the full archive takes along (default all)")
	flag.Parse()
	if err := build(ctx, strings.FieldsFunc(*systems, separates), strings.FieldsFunc(*games, separates)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func separates(r rune) bool { return r == ',' || r == ' ' }

// A source is the checkout that a release is made of.
type source struct {
	version, commit string
	time            time.Time // when the commit was made
}

const (
	out      = "build/release"
	programs = out + "/programs"
)

func build(ctx context.Context, systems, games []string) error {
	if err := os.Chdir("../.."); err != nil {
		return err
	}
	if err := cmp.Or(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	src, host, err := prepare(ctx)
	if err != nil {
		return err
	}
	papers, err := papers(ctx, host)
	if err != nil {
		return err
	}
	full, err := strategies(ctx, games)
	if err != nil {
		return err
	}
	for _, system := range systems {
		goos, goarch, ok := strings.Cut(system, "/")
		if !ok {
			return fmt.Errorf("%s is no system such as linux/amd64", system)
		}
		program, err := src.program(ctx, goos, goarch)
		if err != nil {
			return err
		}
		small := slices.Concat(program, papers)
		name := fmt.Sprintf("%s/gamebots-%s-%s-%s", out, src.version, goos, goarch)
		for to, files := range map[string][]file{name: slices.Concat(small, full), name + "-small": small} {
			if err := src.archive(to, goos, files); err != nil {
				return err
			}
		}
		if err := src.wheel(ctx, system, slices.Concat(program, full)); err != nil {
			return err
		}
		if goos != "linux" {
			continue
		}
		if err := src.debian(goarch, slices.Concat(small, full)); err != nil {
			return err
		}
		if err := src.image(ctx, name+"-image.tar", goarch, papers); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(programs); err != nil {
		return err
	}
	return checksums()
}

// prepare learns what the source is, and builds the program for this system, which knows its
// version and writes the completions of shells.
func prepare(ctx context.Context) (src source, host string, err error) {
	commit, err := output(ctx, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return src, "", err
	}
	changes, err := output(ctx, "git", "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return src, "", err
	}
	hash, at, _ := strings.Cut(strings.TrimSpace(commit), " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return src, "", fmt.Errorf("git log: %w", err)
	}
	src = source{commit: hash[:12], time: time.Unix(seconds, 0).UTC()}
	if changes != "" {
		src.commit += " modified"
	}
	program, err := src.compile(ctx, "", "")
	if err != nil {
		return src, "", err
	}
	version, err := output(ctx, program.from, "--version")
	if err != nil {
		return src, "", err
	}
	src.version = strings.Fields(version)[1]
	return src, program.from, nil
}

// compile builds the program for a system, by default for this one.
func (s source) compile(ctx context.Context, goos, goarch string, tags ...string) (file, error) {
	name := "gamebots"
	if goos == "windows" {
		name += ".exe"
	}
	to := filepath.Join(programs, goos+goarch+strings.Join(tags, ""), name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags="+strings.Join(tags, ","),
		"-ldflags=-s -w -X 'gamebots/cmd/internal/cli.revision="+s.commit+"'", "-o", to, "./cmd/gamebots")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return file{}, fmt.Errorf("go build for %s/%s: %w", goos, goarch, err)
	}
	return file{name: name, from: to, mode: 0o755}, nil
}

// program builds the program for a system, and lists its modules, which differ from system to system.
func (s source) program(ctx context.Context, goos, goarch string, tags ...string) ([]file, error) {
	program, err := s.compile(ctx, goos, goarch, tags...)
	if err != nil {
		return nil, err
	}
	list, err := modules(program.from)
	if err != nil {
		return nil, err
	}
	return []file{program, {name: "MODULES.txt", data: list, mode: 0o644}}, nil
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	text, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(text), err
}

// modules lists the modules that a program is made of, as go version -m does.
func modules(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "%s\n", info.GoVersion)
	for _, m := range info.Deps {
		text = fmt.Appendf(text, "%s %s %s\n", m.Path, m.Version, m.Sum)
	}
	return text, nil
}

// checksums lists what was built, in the form of sha256sum.
func checksums() error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var text []byte
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(out, e.Name()))
		if err != nil {
			return err
		}
		text = fmt.Appendf(text, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	os.Stdout.Write(text)
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), text, 0o644)
}
