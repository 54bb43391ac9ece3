package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"strings"
)

// wheels are the tags of the systems for which there is a wheel. A program for Linux needs glibc 2.17 or later.
var wheels = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64",
	"darwin/arm64":  "macosx_11_0_arm64",
	"windows/amd64": "win_amd64",
}

const metadata = `Metadata-Version: 2.1
Name: gamebots
Version: %s
Summary: Poker, Havannah and game theory: bots, training by counterfactual regret minimisation, exact solvers
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

%s`

// wheel makes a package for Python: the modules, and the program with what lies beside it.
func (s source) wheel(ctx context.Context, system string, program []file) error {
	modules, err := matching(ctx, pythonSource+"**")
	if err != nil {
		return err
	}
	version := strings.Replace(s.version, "-dev", ".dev0", 1) // as PEP 440 writes it
	info := "gamebots-" + version + ".dist-info/"
	var files []file
	for _, f := range modules {
		if f.name = strings.TrimPrefix(f.name, pythonSource); f.name != "README.md" {
			files = append(files, f)
			continue
		}
		readme, err := f.read()
		if err != nil {
			return err
		}
		text := fmt.Appendf(nil, metadata, version, readme)
		files = append(files, file{name: info + "METADATA", data: text, mode: 0o644})
	}
	for _, f := range program {
		f.name = "gamebots/bin/" + f.name
		files = append(files, f)
	}
	files = append(files,
		file{name: info + "LICENSE", from: "LICENSE", mode: 0o644},
		file{name: info + "THIRD_PARTY.txt", from: "bots/submission/THIRD_PARTY.txt", mode: 0o644},
		file{name: info + "entry_points.txt", data: []byte(scripts), mode: 0o644},
	)
	tag := wheels[system]
	text := "Wheel-Version: 1.0\nGenerator: gamebots\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(tag, ".") {
		text += "Tag: py3-none-" + platform + "\n"
	}
	files = append(files, file{name: info + "WHEEL", data: []byte(text), mode: 0o644})
	sums, err := record(files, info+"RECORD")
	if err != nil {
		return err
	}
	files = append(files, file{name: info + "RECORD", data: sums, mode: 0o644})
	name := path.Join(out, fmt.Sprintf("gamebots-%s-py3-none-%s.whl", version, tag))
	return create(name, func(w io.Writer) error { return s.zip(w, "", files) })
}

const (
	pythonSource = "cmd/gamebots/python/"
	scripts      = "[console_scripts]\ngamebots = gamebots:main\n"
)

// record lists files with their checksums, and itself without one.
func record(files []file, own string) ([]byte, error) {
	var text []byte
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		text = fmt.Appendf(text, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	}
	return fmt.Appendf(text, "%s,,\n", own), nil
}
