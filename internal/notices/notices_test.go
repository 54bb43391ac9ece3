package notices

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Every module of the executable has its notice, in the version that is used.
func TestComplete(t *testing.T) {
	for _, goos := range []string{"linux", "windows"} {
		list := exec.Command("go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "gamebots/cmd/gamebots")
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(strings.ReplaceAll(string(out), " ", "@"))
		if len(lines) == 0 {
			t.Fatal("the executable has no modules")
		}
		for _, module := range lines {
			if !strings.Contains(Text, "\n"+strings.Replace(module, "@", " ", 1)+"\n") {
				t.Errorf("%s: %s is not in %s: make notices writes it", goos, module, File)
			}
		}
	}
}
