package gamebots

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layer lists the imports that a package may have beside the standard library. A pattern
// that ends in "/..." covers the path before it and all below, and "..."
// covers everything.
type layer struct {
	pkg string
	may []string
}

// layers are tried in their order: the first that covers a package is its own.
// Tests may import anything.
var layers = []layer{
	// One home for each idea: packages that several layers share import none of them.
	{"internal/portable", nil},
	{"internal/parallel", nil},
	{"internal/rng", nil},
	{"internal/testkit", nil}, // For tests, so in no other layer's list.
	{"internal/stats", []string{"gonum.org/v1/gonum/mathext"}},
	{"internal/usererr", nil},
	{"internal/affected", nil}, // a command of the Makefile
	{"internal/release", []string{ // another one, and a module of its own
		"github.com/cpuguy83/go-md2man/v2/md2man", "github.com/google/go-containerregistry/pkg/v1/...",
		"github.com/goreleaser/nfpm/v2/...",
	}},
	{"internal/memory", nil},
	{"internal/progress", []string{
		"github.com/vbauerster/mpb/v8", "github.com/vbauerster/mpb/v8/cwriter", "github.com/vbauerster/mpb/v8/decor",
	}},
	{"internal/shutdown", nil},
	{"internal/atomicfile", []string{"github.com/google/renameio/v2", "gamebots/internal/shutdown"}},
	{"internal/chart", []string{"gamebots/internal/usererr", "gamebots/internal/atomicfile", "gonum.org/v1/plot/..."}},

	// Rules import nothing else of the module.
	{"acpc/card", nil},
	{"acpc/hand", []string{"gamebots/acpc/card"}},
	// The reader of game definitions guesses what a misspelt key was meant to be.
	{"acpc", []string{"gamebots/acpc/card", "gamebots/acpc/hand", "gamebots/internal/usererr"}},
	{"acpc/ranges", []string{"gamebots/acpc", "gamebots/acpc/card"}},
	{"acpc/money", []string{"gamebots/acpc"}},
	{"acpc/history", append([]string{"github.com/BurntSushi/toml"}, rules...)},

	{"hexproto/havannah", nil},
	{"hexproto/matrix", nil},
	{"hexproto/nim", nil},
	{"hexproto/internal/gametest", nil}, // For tests, so in no other layer's list.

	// The two ends of the wire.
	{"acpc/client", rules},
	{"acpc/dealer", rules},

	// The board family's: messages, the interface of bots, and the server.
	{"hexproto/wire", nil},
	{"hexproto/gtp", nil},
	{"hexproto", []string{"gamebots/hexproto/game", "gamebots/hexproto/wire"}},
	{"hexproto/client", []string{
		"gamebots/hexproto/wire", "github.com/gorilla/websocket", "golang.org/x/time/rate",
	}},
	{"hexproto/game", []string{"gamebots/hexproto/wire"}},
	{"hexproto/boards", []string{
		"gamebots/hexproto/game", "gamebots/hexproto/havannah",
		"gamebots/hexproto/matrix", "gamebots/hexproto/nim", "gamebots/hexproto/wire",
	}},
	{"hexproto/server/engines",
		[]string{"gamebots/hexproto", "gamebots/hexproto/wire", "gamebots/internal/parallel"}},
	{"hexproto/server/page", nil},
	{"hexproto/server/database",
		[]string{"gamebots/hexproto/wire", "gamebots/internal/atomicfile", "github.com/ncruces/go-sqlite3/...",
			"modernc.org/sqlite"}},
	{"hexproto/server/internal/limit", []string{"gamebots/internal/parallel"}},
	{"hexproto/server", []string{
		"gamebots/hexproto", "gamebots/hexproto/server/engines", "gamebots/hexproto/game",
		"gamebots/hexproto/server/database",
		"gamebots/internal/parallel", "gamebots/hexproto/server/internal/limit",
		"gamebots/hexproto/wire", "gamebots/internal/memory",
		"github.com/gorilla/websocket", "github.com/hashicorp/golang-lru/v2/...", "golang.org/x/time/rate",
	}},

	// GPUs: memory, kernels and devices. Each package of kernels carries its own PTX.
	{"cudalib/driver", []string{"github.com/ebitengine/purego", "golang.org/x/sys/windows"}},
	{"cudalib/internal/kernels", nil},
	{"cudalib/internal/launch", []string{"gamebots/cudalib/driver"}},
	{"cudalib/segmentgpu", nil},
	{"cudalib/cfrgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/brgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/mccfrgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/kmeansgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/pcsgpu",
		[]string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch", "gamebots/cudalib/segmentgpu"}},
	{"cudalib/cfrbrgpu", []string{
		"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch", "gamebots/cudalib/pcsgpu",
		"gamebots/cudalib/segmentgpu",
	}},
	{"cudalib/spotgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/havannahgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/hexnetgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/nashgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/nimgpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/snakegpu", []string{"gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/probe", []string{"gamebots/cudalib", "gamebots/cudalib/driver", "gamebots/cudalib/internal/launch"}},
	{"cudalib/cudatest", []string{
		"gamebots/cudalib", "gamebots/cudalib/driver", "gamebots/cudalib/internal/kernels",
		"gamebots/internal/parallel",
	}}, // for tests
	{"cudalib", []string{"gamebots/cudalib/driver"}},

	// Solvers know rules, each other and the libraries of their own field.
	{"solvers/cfr/betting", []string{"gamebots/acpc"}},
	{"solvers/cfr/abstraction/buckets/cluster", append([]string{
		"gamebots/cudalib", "gamebots/cudalib/kmeansgpu",
		"gamebots/internal/memory", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/abstraction/buckets",
	}, rules...)},
	{"solvers/cfr/abstraction/buckets/internal/bucketstest", append([]string{
		"gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/abstraction/buckets",
		"gamebots/solvers/cfr/abstraction/buckets/cluster",
	}, rules...)}, // for tests
	{"solvers/cfr/abstraction/buckets", append([]string{
		"gamebots/internal/atomicfile", "gamebots/internal/memory", "gamebots/solvers/cfr/abstraction",
		"github.com/hashicorp/golang-lru/v2",
		"github.com/klauspost/compress/zstd",
	}, rules...)},
	{"solvers/policy", append([]string{
		"gamebots/internal/memory", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/abstraction/buckets",
		"gamebots/solvers/cfr/betting", "gamebots/solvers/strategy",
	}, rules...)},
	{"solvers/internal/pokertest", append([]string{
		"gamebots/configs", "gamebots/solvers/cfr/abstraction",
	}, rules...)}, // for tests
	{"solvers/cfr/mccfr/internal/mccfrtest", slices.Concat(rules, []string{
		"gamebots/solvers/policy", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/publictree", "gamebots/solvers/internal/pokertest",
		"gamebots/solvers/strategy",
	})}, // for tests
	{"solvers/policy/browse", append([]string{
		"gamebots/acpc/money", "gamebots/acpc/ranges", "gamebots/solvers/policy",
		"gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/publictree",
	}, rules...)},
	{"solvers/resolve/spot/internal/layout", append([]string{
		"gamebots/solvers/cfr/abstraction", "gamebots/solvers/internal/vectors", "gamebots/internal/parallel",
		"gamebots/internal/memory", "gamebots/solvers/cfr/checkpoint",
	}, rules...)},
	{"solvers/resolve/spot/ondevice", []string{
		"gamebots/acpc/card", "gamebots/cudalib", "gamebots/cudalib/spotgpu", "gamebots/internal/memory",
		"gamebots/solvers/internal/vectors", "gamebots/solvers/resolve/spot",
		"gamebots/solvers/resolve/spot/internal/layout",
	}},
	{"solvers/resolve/spot", append([]string{
		"gamebots/acpc/ranges", "gamebots/solvers/cfr", "gamebots/solvers/policy", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/betting", "gamebots/solvers/internal/gate", "gamebots/solvers/internal/vectors",
		"gamebots/solvers/resolve/spot/internal/layout",
		"gamebots/solvers/strategy", "gamebots/internal/memory", "gamebots/internal/parallel",
	}, rules...)},
	{"solvers/resolve", append([]string{
		"gamebots/acpc/ranges", "gamebots/solvers/cfr", "gamebots/solvers/policy", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/publictree", "gamebots/solvers/evaluate/belief",
		"gamebots/solvers/internal/gate", "gamebots/solvers/preflop", "gamebots/solvers/resolve/spot",
	}, rules...)},
	{"solvers/cfr/tabular", append([]string{
		"gamebots/internal/rng", "gamebots/internal/usererr", "gamebots/solvers/cfr",
		"gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/checkpoint",
		"gamebots/solvers/nash/extensive",
	}, rules...)},
	{"solvers/cfr/publictree", append([]string{
		"gamebots/internal/memory", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/betting",
		"gamebots/solvers/internal/vectors", "gamebots/solvers/policy",
	}, rules...)},
	{"solvers/cfr/cfrtest", []string{ // For tests, so in no other layer's list.
		"gamebots/acpc", "gamebots/configs", "gamebots/solvers/cfr", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/publictree", "gamebots/solvers/policy",
		"gamebots/solvers/strategy",
	}},
	{"solvers/cfr", []string{
		"gamebots/acpc", "gamebots/internal/memory", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/betting",
		"gamebots/solvers/cfr/checkpoint", "gamebots/solvers/cfr/publictree", "gamebots/solvers/internal/vectors",
		"gamebots/solvers/policy", "gamebots/solvers/strategy",
	}},
	{"solvers/cfr/ondevice", []string{
		"gamebots/cudalib", "gamebots/cudalib/brgpu", "gamebots/cudalib/cfrgpu", "gamebots/solvers/cfr",
		"gamebots/solvers/cfr/abstraction", "gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/checkpoint",
		"gamebots/solvers/cfr/publictree", "gamebots/solvers/cfr/segment", "gamebots/solvers/evaluate/bestresponse",
		"gamebots/solvers/strategy",
	}},
	{"solvers/cfr/...", cfrFamily},
	{"solvers/evaluate/...", cfrFamily},
	{"solvers/preflop", []string{"gamebots/acpc/ranges"}},
	{"solvers/internal/gate", []string{"gamebots/acpc/card"}},
	{"solvers/internal/vectors", []string{"gamebots/solvers/cfr/abstraction", "golang.org/x/sys/cpu"}},
	{"solvers/nash/bimatrix", []string{
		"gamebots/internal/rng", "gamebots/internal/usererr", "gamebots/hexproto/matrix",
	}},
	{"solvers/nash/verify", []string{"gamebots/solvers/nash/bimatrix"}},
	{"solvers/nash/labels", nashSearch},
	{"solvers/nash/internal/extreme", []string{
		"gamebots/solvers/nash/bimatrix", "gamebots/solvers/nash/verify", "gamebots/solvers/nash/labels",
	}},
	{"solvers/nash/extensive", []string{
		"gamebots/internal/memory", "gamebots/internal/usererr",
		"gamebots/solvers/nash/bimatrix",
	}},
	{"solvers/nash/extensive/sequence", []string{
		"gamebots/internal/rng", "gamebots/solvers/nash/extensive", "gamebots/solvers/nash/bimatrix",
	}},
	{"solvers/nash", []string{
		"gamebots/internal/parallel", "gamebots/internal/usererr", "gamebots/cudalib", "gamebots/cudalib/nashgpu",
		"gamebots/solvers/nash/...",
	}},
	{"solvers/nimsolver", []string{"gamebots/cudalib", "gamebots/cudalib/nimgpu", "gamebots/hexproto/nim"}},
	{"solvers/playout", []string{
		"gamebots/cudalib", "gamebots/cudalib/havannahgpu", "gamebots/hexproto/havannah", "gamebots/internal/parallel",
	}},
	{"solvers/hexnet", []string{
		"gamebots/cudalib", "gamebots/cudalib/hexnetgpu", "gamebots/internal/atomicfile",
		"golang.org/x/sys/cpu", "github.com/zeebo/xxh3",
	}},
	{"solvers/mcts", []string{"gamebots/internal/memory", "golang.org/x/sys/cpu"}},
	{"solvers/gumbel", []string{"gamebots/solvers/mcts"}},
	{"solvers/hexsearch", []string{
		"gamebots/cudalib", "gamebots/cudalib/havannahgpu", "gamebots/hexproto/havannah",
		"gamebots/solvers/gumbel", "gamebots/solvers/hexnet", "gamebots/solvers/mcts", "gamebots/solvers/playout",
	}},
	{"solvers/selfplay", []string{
		"gamebots/cudalib", "gamebots/cudalib/havannahgpu", "gamebots/hexproto/havannah",
		"gamebots/internal/atomicfile",
		"gamebots/internal/shutdown", "gamebots/solvers/cfr/checkpoint", "gamebots/solvers/hexsearch",
		"gamebots/solvers/hexnet", "gamebots/solvers/mcts", "gamebots/solvers/playout",
	}},
	{"solvers/minimax", []string{"gamebots/hexproto/havannah", "gamebots/hexproto/nim"}},
	{"solvers/nmcs/snake", []string{
		"gamebots/internal/atomicfile", "gamebots/internal/stats", "gamebots/internal/usererr", "gamebots/cudalib",
		"gamebots/cudalib/snakegpu",
	}},
	{"solvers/strategy", []string{
		"gamebots/internal/atomicfile", "golang.org/x/sys/unix", "golang.org/x/sys/windows",
		"github.com/klauspost/compress/zstd", "github.com/zeebo/xxh3",
	}},

	{"configs", []string{
		"gamebots/acpc", "gamebots/internal/usererr", "github.com/BurntSushi/toml",
	}},

	// Bots bring protocols, rules and solvers together; cmd/gamebots runs them.
	{"bots/havannahbot", append([]string{
		"gamebots/hexproto/havannah", "gamebots/solvers/gumbel", "gamebots/solvers/hexsearch",
		"gamebots/solvers/hexnet", "gamebots/solvers/mcts",
		"gamebots/solvers/playout", "gamebots/cudalib",
	}, boardGames...)},
	{"bots/nimbot", append([]string{
		"gamebots/hexproto/nim", "gamebots/solvers/nimsolver", "gamebots/cudalib",
	}, boardGames...)},
	{"bots/matrixbot", append([]string{
		"gamebots/hexproto/matrix", "gamebots/solvers/nash", "gamebots/solvers/nash/bimatrix",
		"gamebots/solvers/nash/verify",
	}, boardGames...)},
	{"bots/proc", append([]string{
		"gamebots/internal/shutdown", "gamebots/hexproto/gtp", "gamebots/hexproto/wire", "golang.org/x/sys/unix",
	}, boardGames...)},
	{"bots/bridge", []string{
		"gamebots/configs", "gamebots/internal/atomicfile", "gamebots/hexproto", "gamebots/hexproto/client",
		"gamebots/hexproto/wire",
	}},
	{"bots/mcp", []string{
		"gamebots/acpc/card", "gamebots/acpc/history", "gamebots/bots/poker/table", "gamebots/hexproto/client",
		"gamebots/hexproto/wire", "gamebots/solvers/policy/browse", "github.com/modelcontextprotocol/go-sdk/mcp",
	}},
	{"bots/poker/table", slices.Concat(rules, []string{
		"gamebots/acpc/history", "gamebots/hexproto", "gamebots/hexproto/game", "gamebots/hexproto/wire",
	})},
	{"bots/poker/resolving", append([]string{
		"gamebots/bots/poker", "gamebots/solvers/policy", "gamebots/solvers/evaluate/aivat",
		"gamebots/solvers/evaluate/belief", "gamebots/solvers/cfr/betting", "gamebots/solvers/resolve",
	}, rules...)},
	{"bots/poker", append([]string{
		"gamebots/solvers/policy", "gamebots/solvers/evaluate/belief", "gamebots/solvers/cfr/betting",
	}, rules...)},
	{"bots/judge/agent", append([]string{
		"gamebots/bots/poker", "gamebots/bots/proc", "gamebots/solvers/evaluate/belief", "gamebots/solvers/policy",
		"gamebots/solvers/nash/extensive",
	}, rules...)},
	{"bots/poker/tty", append([]string{
		"gamebots/acpc/dealer", "gamebots/acpc/money", "gamebots/bots/arena/ratings", "gamebots/internal/atomicfile",
		"gamebots/solvers/evaluate/aivat", "gamebots/solvers/policy/browse",
	}, rules...)},
	{"bots/spotstudy", append([]string{
		"gamebots/acpc/ranges", "gamebots/solvers/policy", "gamebots/solvers/policy/browse", "gamebots/solvers/resolve",
		"gamebots/bots/grid/jobs", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/resolve/spot",
		"gamebots/configs", "gamebots/internal/usererr", "gamebots/solvers/cfr",
	}, rules...)},
	{"bots/sites", append([]string{
		"gamebots/acpc/history", "gamebots/acpc/money", "gamebots/configs", "gamebots/internal/atomicfile",
		"golang.org/x/time/rate",
	}, rules...)},
	{"bots/sites/gtowizard", append([]string{
		"gamebots/acpc/history", "gamebots/bots/sites", "golang.org/x/sync/errgroup",
	}, rules...)},
	{"bots/sites/gtowizard/standin", rules},
	{"bots/sites/mit", append([]string{"gamebots/bots/poker", "gamebots/bots/sites"}, rules...)},
	{"bots/sites/abstractplay", []string{
		"gamebots/bots/sites", "gamebots/configs", "gamebots/hexproto", "gamebots/hexproto/boards",
		"gamebots/hexproto/havannah", "gamebots/hexproto/wire", "gamebots/internal/atomicfile",
		"gamebots/internal/usererr", "golang.org/x/sync/semaphore",
	}},
	{"bots/sites/abstractplay/abstractplaytest", []string{"gamebots/hexproto/havannah"}}, // for tests, as below
	{"bots/sites/slumbot", append([]string{"gamebots/acpc/history", "gamebots/bots/sites"}, rules...)},
	{"bots/sites/gtowizard/gtowizardtest", []string{"gamebots/bots/sites/gtowizard/standin"}}, // for tests, too
	// For tests, so in no other layer's list.
	{"bots/sites/slumbot/slumbottest", rules},
	{"bots/submission", append([]string{
		"gamebots/internal/memory",
		"gamebots/configs", "gamebots/acpc/client", "gamebots/acpc/dealer",
		"gamebots/bots/poker", "gamebots/bots/proc", "gamebots/bots/sites/mit", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/strategy",
	}, rules...)},
	{"bots/grid", []string{"github.com/hashicorp/golang-lru/v2/..."}},
	{"bots/grid/internal/gridtest", []string{"gamebots/bots/grid"}}, // for tests
	{"bots/grid/remote", []string{
		"gamebots/bots/grid", "gamebots/configs", "gamebots/internal/memory", "gamebots/internal/usererr",
		"github.com/nats-io/...",
	}},
	{"bots/arena", slices.Concat(rules, boardGames, []string{
		"gamebots/acpc/client", "gamebots/acpc/dealer", "gamebots/bots/proc", "gamebots/configs",
		"gamebots/hexproto/wire", "gamebots/internal/memory", "gamebots/internal/shutdown",
		"github.com/klauspost/compress/zstd",
	})},
	{"bots/arena/store", []string{
		"gamebots/bots/arena", "github.com/zeebo/xxh3", "modernc.org/sqlite/...",
	}},
	{"bots/arena/tournament", slices.Concat(rules, boardGames, []string{
		"gamebots/acpc/money", "gamebots/bots/arena", "gamebots/bots/grid",
		"gamebots/bots/poker", "gamebots/bots/poker/resolving", "gamebots/configs", "gamebots/internal/memory",
		"gamebots/internal/usererr", "gamebots/acpc/dealer", "gamebots/solvers/policy",
		"gamebots/solvers/evaluate/aivat", "gamebots/solvers/cfr/train", "gamebots/solvers/resolve",
		"gamebots/solvers/strategy", "github.com/zeebo/xxh3",
	})},
	{"bots/arena/ratings", append([]string{
		"gamebots/bots/arena", "gamebots/acpc/history", "gamebots/acpc/money",
		"gamebots/solvers/evaluate/aivat",
	}, rules...)},
	{"bots/demo", []string{
		"gamebots/acpc", "gamebots/acpc/money", "gamebots/bots/arena", "gamebots/bots/poker", "gamebots/configs",
		"gamebots/internal/chart", "gamebots/internal/progress", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/checkpoint", "gamebots/solvers/cfr/train", "gonum.org/v1/plot/...",
	}},
	{"bots/registry", slices.Concat(boardGames, []string{
		"gamebots/bots/arena",
		"gamebots/bots/havannahbot", "gamebots/bots/matrixbot", "gamebots/bots/nimbot", "gamebots/bots/proc",
		"gamebots/bots/arena/tournament", "gamebots/bots/poker",
		"gamebots/bots/poker/table", "gamebots/solvers/evaluate/aivat", "gamebots/solvers/policy/browse",
		"github.com/hashicorp/golang-lru/v2/...", "gamebots/solvers/cfr/abstraction",
		"gamebots/solvers/cfr/betting", "gamebots/acpc",
		"gamebots/configs", "gamebots/cudalib", "gamebots/hexproto/server/engines", "gamebots/internal/memory",
		"gamebots/internal/usererr", "gamebots/solvers/cfr", "gamebots/solvers/policy",
		"gamebots/solvers/cfr/publictree", "gamebots/solvers/cfr/train",
		"gamebots/solvers/hexnet", "gamebots/solvers/mcts", "gamebots/solvers/strategy", "gamebots/acpc/ranges",
		"gamebots/solvers/resolve/spot",
	})},
	{"bots/grid/jobs", []string{
		"gamebots/bots/grid", "gamebots/cudalib", "gamebots/internal/memory",
		"gamebots/solvers/resolve/spot", "gamebots/solvers/hexnet", "gamebots/solvers/selfplay",
		"github.com/klauspost/compress/zstd", "github.com/zeebo/xxh3",
		"gamebots/solvers/cfr", "gamebots/solvers/resolve/spot/ondevice",
	}},

	{"bots/files", []string{
		"gamebots/acpc", "gamebots/acpc/dealer", "gamebots/acpc/hand", "gamebots/acpc/history",
		"gamebots/hexproto/game", "gamebots/hexproto/wire", "gamebots/hexproto/nim", "gamebots/bots/arena",
		"gamebots/bots/registry", "gamebots/bots/spotstudy", "gamebots/configs",
		"gamebots/hexproto/havannah", "gamebots/internal/atomicfile",
		"gamebots/internal/usererr", "gamebots/solvers/cfr/abstraction/buckets", "gamebots/solvers/cfr/checkpoint",
		"gamebots/solvers/cfr/train", "gamebots/solvers/hexnet", "gamebots/solvers/nash/extensive",
		"gamebots/solvers/nash/bimatrix", "gamebots/solvers/nmcs/snake", "gamebots/solvers/strategy",
	}},
	{"bots/judge", []string{
		"gamebots/acpc", "gamebots/acpc/card", "gamebots/acpc/money", "gamebots/bots/judge/agent",
		"gamebots/bots/poker", "gamebots/bots/poker/resolving", "gamebots/cudalib",
		"gamebots/internal/memory", "gamebots/solvers/cfr/abstraction", "gamebots/solvers/evaluate/belief",
		"gamebots/internal/usererr", "gamebots/solvers/cfr/betting", "gamebots/solvers/cfr/publictree",
		"gamebots/solvers/cfr/mccfr", "gamebots/solvers/cfr/ondevice", "gamebots/solvers/cfr/tabular",
		"gamebots/solvers/cfr/train", "gamebots/solvers/cfr/segment", "gamebots/solvers/evaluate/bestresponse",
		"gamebots/solvers/evaluate/lbr",
		"gamebots/solvers/nash/extensive", "gamebots/solvers/policy", "gamebots/solvers/resolve",
		"gamebots/solvers/resolve/spot",
		"gamebots/acpc/dealer", "gamebots/bots/arena", "gamebots/bots/arena/ratings", "gamebots/bots/proc",
		"gamebots/solvers/evaluate/aivat",
	}},

	// Examples are programs of other modules: they use nothing internal.
	{"examples/...", []string{"gamebots/acpc/...", "gamebots/configs", "gamebots/solvers/..."}},

	// The program, and that of its benchmarks.
	{"cmd/...", []string{"..."}},
	{"", nil}, // the root has no code
}

// boardGames are the board games and the interfaces of their bots, which know positions but no messages.
var boardGames = []string{"gamebots/hexproto", "gamebots/hexproto/boards", "gamebots/hexproto/game"}

// helpers may be imported by every package of solvers and bots, beside what its
// layer says.
var helpers = []string{
	"gamebots/internal/usererr", "gamebots/internal/parallel", "gamebots/internal/portable", "gamebots/internal/rng",
	"gamebots/internal/stats",
}

// nashSearch lists the imports that a search of solvers/nash may have.
var nashSearch = []string{
	"gamebots/internal/parallel", "gamebots/internal/rng", "gamebots/cudalib", "gamebots/cudalib/nashgpu",
	"gamebots/solvers/nash/bimatrix", "gamebots/solvers/nash/verify",
}

// cfrFamily lists the imports that trainers of strategies and who judges them may have.
var cfrFamily = slices.Concat(rules, []string{
	"gamebots/solvers/cfr/...", "gamebots/solvers/evaluate/...", "gamebots/solvers/policy", "gamebots/solvers/strategy",
	"gamebots/solvers/nash/extensive",
	"gamebots/solvers/internal/...", "gamebots/internal/atomicfile", "gamebots/internal/shutdown", "gamebots/cudalib",
	"gamebots/cudalib/mccfrgpu", "gamebots/cudalib/pcsgpu",
	"gamebots/cudalib/segmentgpu", "gamebots/cudalib/cfrbrgpu",
	"gamebots/internal/parallel", "gamebots/internal/rng", "gamebots/internal/stats",
	"gamebots/internal/memory", "gamebots/internal/usererr", "golang.org/x/sys/cpu",
	"github.com/klauspost/compress/zstd", "github.com/zeebo/xxh3",
})

var rules = []string{"gamebots/acpc", "gamebots/acpc/card", "gamebots/acpc/hand"}

// forbidden lists packages, of the standard library and of others, that whole parts
// of the module must not import.
var forbidden = []struct {
	pkg    []string // packages that must not import those in not
	except []string
	not    []string
	why    string
}{
	{[]string{"..."}, []string{
		"cmd/...", "examples/...", "bots/bridge", "bots/grid/remote",
		"bots/sites", "bots/sites/abstractplay", "hexproto/server",
	}, []string{"log/..."},
		"returns or calls back, and does not log"},
	{[]string{"..."}, []string{"cmd/...", "examples/..."}, []string{"github.com/rs/zerolog/..."},
		"writes to the log that it is given"},
	{[]string{
		"acpc", "acpc/card", "acpc/hand", "hexproto/havannah", "hexproto/matrix", "hexproto/nim", "solvers/...",
	}, nil, []string{"net/...", "flag", "os/exec", "os/signal"},
		"knows no protocol, socket or flag"},
	{[]string{"..."}, []string{
		"cmd/...", "examples/...", "internal/release", "cudalib/cudatest",
	}, []string{"github.com/spf13/...", "os/signal", "flag"},
		"leaves the command line to the program"},
}

// clocks match what reads a clock or waits for one.
var clocks = regexp.MustCompile(
	`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\(|\bcontext\.With(Timeout|Deadline)`)

// sessions are the files of rules and solvers that read a clock: they train or search until a
// time is over, save now and then, and say how long work took, or solve as much as the time of a decision allows.
// No other result depends on one.
var sessions = []string{
	"solvers/cfr/train/response.go", "solvers/cfr/train/session.go", "solvers/cfr/train/tree.go",
	"solvers/nmcs/snake/search.go",
	"solvers/resolve/device.go",
	"solvers/selfplay/session.go",
}

func TestClocks(t *testing.T) {
	timeless := []string{
		"acpc", "acpc/card", "acpc/hand", "acpc/history", "acpc/ranges", "configs", "hexproto/boards", "hexproto/game",
		"hexproto/havannah/...", "hexproto/matrix", "hexproto/nim", "solvers/...",
	}
	var read []string
	for pkg, files := range packages(t) {
		for _, file := range files {
			text, err := os.ReadFile(file.name)
			if err != nil {
				t.Fatal(err)
			}
			if covers(timeless, pkg) && clocks.Match(text) {
				read = append(read, file.name)
			}
		}
	}
	slices.Sort(read)
	if !slices.Equal(read, sessions) {
		t.Errorf("files of rules and solvers that read a clock: %q, want those of sessions, %q", read, sessions)
	}
}

// The map of cudalib names each package below it.
func TestMapOfKernels(t *testing.T) {
	text, err := os.ReadFile("cudalib/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range packages(t) {
		below, found := strings.CutPrefix(pkg, "cudalib/")
		if name := path.Base(below); found && !regexp.MustCompile(`(?m)^//\s.*\b`+name+` `).Match(text) {
			t.Errorf("cudalib/doc.go does not name %s", name)
		}
	}
}

// covers reports whether one of the patterns covers an import path.
func covers(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		below, tree := strings.CutSuffix(p, "...")
		return p == path || tree && (strings.HasPrefix(path, below) || path == strings.TrimSuffix(below, "/"))
	})
}

// source is one Go file of the module that is no test.
type source struct {
	name string
	*ast.File
}

// packages returns the module's files by their package's path below the
// module, "" for the root, whatever system they are for.
func packages(t *testing.T) map[string][]source {
	t.Helper()
	return sources(t, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

// sources is packages with those files that are wanted, and tests.
func sources(t *testing.T, want func(name string) bool) map[string][]source {
	t.Helper()
	all := map[string][]source{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "build" || name != "." && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || !want(name):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), ".")
		all[pkg] = append(all[pkg], source{filepath.ToSlash(file), f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for pkg, files := range packages(t) {
		i := slices.IndexFunc(layers, func(l layer) bool { return covers([]string{l.pkg}, pkg) })
		if i < 0 {
			t.Errorf("package %s is in no layer", pkg)
			continue
		}
		seen[layers[i].pkg] = true
		for _, file := range files {
			for _, spec := range file.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				host, _, _ := strings.Cut(imported, "/")
				standard := host != "gamebots" && !strings.Contains(host, ".")
				helper := covers(helpers, imported) && covers([]string{"solvers/...", "bots/..."}, pkg)
				if !standard && !helper && !covers(layers[i].may, imported) {
					t.Errorf("%s imports %s, which its layer may not", file.name, imported)
				}
				for _, f := range forbidden {
					if covers(f.pkg, pkg) && !covers(f.except, pkg) && covers(f.not, imported) {
						t.Errorf("%s imports %s, but package %q %s", file.name, imported, pkg, f.why)
					}
				}
			}
		}
	}
	for _, l := range layers {
		if !seen[l.pkg] {
			t.Errorf("layer %s covers no package", l.pkg)
		}
	}
}

// devices are GPUs and their kernels.
var devices = []string{"gamebots/cudalib/..."}

// trainers are what makes strategies.
var trainers = []string{
	"gamebots/solvers/cfr", "gamebots/solvers/cfr/mccfr/...", "gamebots/solvers/cfr/pcs", "gamebots/solvers/cfr/cfrbr",
	"gamebots/solvers/cfr/train", "gamebots/solvers/cfr/ondevice",
}

// isolated packages do without some modules, in what they import too.
var isolated = []struct {
	pkgs    []string
	without []string
}{
	{
		[]string{"bots/arena", "bots/arena/tournament", "bots/arena/ratings", "bots/files"},
		[]string{"modernc.org/sqlite/...", "github.com/gorilla/websocket"},
	},
	// What a strategy is, who plays or shows one, and who judges one by its probabilities: no device, no
	// trainer, and no clustering.
	{
		[]string{
			"solvers/policy", "solvers/strategy", "solvers/policy/browse", "solvers/cfr/publictree",
			"solvers/evaluate/belief", "solvers/evaluate/lbr", "solvers/evaluate/aivat", "bots/arena/ratings",
			"bots/poker", "bots/poker/table", "bots/poker/tty", "bots/submission",
		},
		slices.Concat(devices, trainers, []string{
			"gamebots/solvers/cfr/abstraction/buckets/cluster",
		}),
	},
	// Best responses know betting rounds by cudalib/segmentgpu, which is plain data and imports nothing:
	// all else of cudalib that a program may use links its driver.
	{
		[]string{"solvers/evaluate/bestresponse", "solvers/cfr/segment"},
		slices.Concat([]string{"gamebots/cudalib", "gamebots/cudalib/driver"}, trainers),
	},
	// The rest of a hand is solved at the table by the vectors of package cfr, on the CPU.
	{
		[]string{"solvers/cfr", "solvers/resolve/spot", "solvers/resolve", "bots/poker/resolving"},
		slices.Concat(devices, trainers[1:]),
	},
}

func TestIsolatedPackages(t *testing.T) {
	all := packages(t)
	for _, rule := range isolated {
		for _, pkg := range rule.pkgs {
			if all[pkg] == nil {
				t.Errorf("there is no package %s", pkg)
			}
			if chain := reach(t, all, all[pkg], rule.without); chain != "" {
				t.Errorf("%s does without %s", pkg, chain)
			}
		}
	}
}

// heavy lists modules whose code takes long to link, and the packages that use them, some only
// in their tests. No other test binary links them.
var heavy = []struct {
	module string
	pkgs   []string
}{
	{"modernc.org/sqlite/...", []string{
		"hexproto/server/database", "hexproto/server", "hexproto/server/page",
		"hexproto/client", "bots/arena/store", "bots/files", "bots/arena/tournament",
		"bots/bridge", "cmd/gamebench", "cmd/gamebots",
		"cmd/gamebots-web", // for js it has another driver
	}},
	{"github.com/nats-io/...", []string{"bots/grid/remote", "cmd/gamebots"}},
	{"gonum.org/v1/plot/...", []string{"internal/chart", "cmd/gamebots"}},
}

func TestHeavyImports(t *testing.T) {
	all := packages(t)
	tests := sources(t, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	for _, rule := range heavy {
		for pkg, files := range tests {
			chain := reach(t, all, slices.Concat(all[pkg], files), []string{rule.module})
			if uses := slices.Contains(rule.pkgs, pkg); uses != (chain != "") {
				t.Errorf("the test binary of %s links %s: %t, want %t %s", pkg, rule.module, !uses, uses, chain)
			}
		}
	}
}

// reach returns one of the wanted imports with the packages over which files import it, "" if they do not.
func reach(t *testing.T, all map[string][]source, files []source, wanted []string) string {
	t.Helper()
	seen := map[string]bool{}
	type step struct {
		files []source
		chain string
	}
	for queue := []step{{files, ""}}; len(queue) > 0; queue = queue[1:] {
		for _, file := range queue[0].files {
			for _, spec := range file.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if seen[imported] {
					continue
				}
				seen[imported] = true
				chain := queue[0].chain + " -> " + imported
				if covers(wanted, imported) {
					return chain
				}
				below, _ := strings.CutPrefix(imported, "gamebots/")
				queue = append(queue, step{all[below], chain})
			}
		}
	}
	return ""
}

// Each package has one manual: its doc.go, or its only file.
func TestPackageDocs(t *testing.T) {
	for pkg, files := range packages(t) {
		var docs []string
		for _, f := range files {
			if f.Doc != nil {
				docs = append(docs, path.Base(f.name))
			}
		}
		switch {
		case len(docs) != 1:
			t.Errorf("package %q has %d package comments %v, not one", pkg, len(docs), docs)
		case docs[0] != "doc.go" && len(files) > 1:
			t.Errorf("package %q is documented in %s, not in doc.go", pkg, docs[0])
		}
	}
}

// ARCHITECTURE.md says of every package of many files, and of no other, why it is not divided.
func TestLargePackages(t *testing.T) {
	const many = 15
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), fmt.Sprintf("\n## Packages with more than %d files\n", many))
	if !found {
		t.Fatal("ARCHITECTURE.md has no list of large packages")
	}
	for pkg, files := range packages(t) {
		if named := strings.Contains(list, "\n* `"+pkg+"`: "); named != (len(files) > many) {
			t.Errorf("package %q has %d files; in the list of ARCHITECTURE.md: %t", pkg, len(files), named)
		}
	}
}
