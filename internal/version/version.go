// Package version names this build of gamebots.
package version

import "runtime/debug"

// Release is the release that CHANGELOG.md leads up to.
const Release = "0.1.0-dev"

// Build names this build: the release, and the revision of the source where the Go
// command recorded it. Workers and owners of jobs compare it, because results of
// another build may differ.
func Build() string {
	text := Release
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " modified"
		}
	}
	return text
}
