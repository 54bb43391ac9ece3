# Targets are listed by `make help`, which reads the comments after ##.
# Variables to set on the command line: FUZZTIME, how long each fuzz target
# runs, and ARGS, what `make run` and `make bench` pass on.
FUZZTIME ?= 20s
ARGS ?=

# Everything builds and runs without a C compiler; only race needs one.
export CGO_ENABLED ?= 0

# Some tests wait more than they compute: one more package at a time than there
# are processors, and twice as many tests of a package.
processors = $(shell getconf _NPROCESSORS_ONLN)
gotest = go test -vet=off -timeout 20m -p $$(($(processors) + 1)) -parallel $$((2 * $(processors)))

.DEFAULT_GOAL := help
.PHONY: help build run format check test test-slow pages axe race fuzz lint systems wine bench ptx ptx-check notices release web gpu-test gpu-bench

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-10s %s\n", $$1, $$2 }'

build: ## build the program ./gamebots, and ./gamebench, which measures it
	go build -o . ./cmd/gamebots ./cmd/gamebench

run: build ## train, play and plot a first match, in build/demo (gamebots demo $(ARGS))
	./gamebots demo --folder build/demo $(ARGS)

format:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt is needed for:" $$unformatted; exit 1; }

check: format ## vet and test what was changed since the last commit, or else in it, and its importers: between two edits
	@packages=$$(go run ./internal/affected) && go vet $$packages && $(gotest) $$packages

# lint vets all packages, so test need not.
test: ## run all tests but the slow ones; Go fetches what they need
	@test -n "$$GAMEBOTS_REFERENCE" || test -d ../shared || \
		echo "no reference data in ../shared: tests named TestReference are skipped (see CONTRIBUTING.md)"
	$(gotest) ./...

test-slow: export GAMEBOTS_SLOW = 1
test-slow: test ## run all tests, the slow ones (internal/testkit), too

pages: export GAMEBOTS_PAGES = 1
pages: build ## run the command lines of README and docs, and compare what they print with what they show
	go test . -run TestPages -v -parallel 1 -timeout 2h

AXE = axe-core-4.14.1
AXESUM = e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
axe: ## fetch axe-core, with which the tests of the page look for breaches of WCAG (needs npm)
	@mkdir -p build/axe
	cd build/axe && npm pack --silent axe-core@$(AXE:axe-core-%=%)
	echo '$(AXESUM)  build/axe/$(AXE).tgz' | sha256sum --check --quiet
	tar -xzf build/axe/$(AXE).tgz -C build/axe --strip-components=1 package/axe.min.js

# SQLite's code, translated from C, computes with addresses.
race: export CGO_ENABLED = 1
race: ## run all tests under the race detector (needs gcc)
	go test -race -gcflags=modernc.org/sqlite/lib=-d=checkptr=0 ./...

fuzz: ## run every fuzz target for FUZZTIME each, and list those that failed
	@failed=; for package in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do \
		listed=$$(go test -list '^Fuzz' $$package) || failed="$$failed $$package"; \
		for target in $$(echo "$$listed" | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package || failed="$$failed $$package:$$target"; \
		done; \
	done; test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

# tools.mod keeps the linters' dependencies out of go.mod. It is tidied as a
# module of its own, because in this folder it would be given those of go.mod.
# An error that is dropped on purpose is assigned to _, or to be found in errcheck.txt.
lint: format ## check format, vet, staticcheck, dropped errors and that the module files are tidy
	go vet ./...
	go tool -modfile=tools.mod staticcheck ./...
	go tool -modfile=tools.mod nilerr ./...
	go tool -modfile=tools.mod errcheck -ignoretests -exclude errcheck.txt ./...
	go mod tidy -diff
	go -C internal/release vet ./...
	go -C internal/release mod tidy -diff
	@folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT && \
		cp tools.mod "$$folder/go.mod" && cp tools.sum "$$folder/go.sum" && \
		echo "go mod tidy -diff # tools.mod" && cd "$$folder" && go mod tidy -diff

systems: ## vet all packages for every system of a release
	@set -e; for system in $(RELEASES); do echo "go vet ./... # $$system"; \
		GOOS=$${system%/*} GOARCH=$${system#*/} go vet ./...; done
	GOOS=js GOARCH=wasm go vet ./cmd/gamebots-web

wine: export GOOS = windows
wine: ## run the tests of rules, protocols and solvers for Windows (needs wine64 and gcc-mingw-w64-x86-64)
	go test -exec "$$PWD/.ci/wine" ./acpc/... ./solvers/...

bench: ## print all that gamebench measures as JSON lines
	@go build -o build/ ./cmd/gamebots ./cmd/gamebench && for name in $$(build/gamebench | cut -d ' ' -f 1); do \
		build/gamebench $$name --json $(ARGS) || exit 1; \
	done

# sm_70 and PTX 6.0 are what the oldest GPU and driver that we promise can read.
# Without contraction a product and a sum are rounded as on the CPU. A source
# names the flags that it needs beside these, see cudalib/internal/kernels.
PTXFLAGS = -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
	-Xclang -target-feature -Xclang +ptx60 -std=c++20 -O3 -ffp-contract=off -Wall -Werror -Icudalib/internal/kernels -S
PTX = $(patsubst cudalib/%.cu,build/ptx/%.ptx,$(wildcard cudalib/*/*.cu))

build/ptx/%.ptx: cudalib/%.cu $(wildcard cudalib/*/*.cuh cudalib/internal/kernels/*.cuh) Makefile
	@mkdir -p $(@D)
	clang-16 $(PTXFLAGS) $$(sed -n 's|^// PTXFLAGS: ||p' $<) -o $@ $<

# Text is compared, not compressed bytes, so that a module is rewritten only if its kernels changed.
ptx: $(PTX) ## compile the kernels, beside their sources (needs clang-16, and no GPU)
	@cd build/ptx && for module in $(PTX:build/ptx/%=%); do \
		gzip -dc ../../cudalib/$$module.gz 2>/dev/null | cmp -s - $$module || gzip -9n <$$module >../../cudalib/$$module.gz; \
	done

ptx-check: $(PTX) ## check that the PTX that is committed is that of the kernels
	@cd build/ptx && for module in $(PTX:build/ptx/%=%); do \
		gzip -dc ../../cudalib/$$module.gz | cmp - $$module || { echo "run make ptx"; exit 1; }; \
	done

notices: ## write bots/submission/THIRD_PARTY.txt, the licences of the executable's modules
	go test ./bots/submission -run Notices -update

# What is handed on, and the systems that it is for.
RELEASES = linux/amd64 linux/arm64 darwin/arm64 windows/amd64
release: ## build archives, packages and images in build/release; GAMES=holdem-limit-3p takes along only its strategy
	cd internal/release && go test -vet=off . && go run . -systems '$(RELEASES)' -games '$(GAMES)'

# The page of serve, with its program in it. Sizes and the list of files are written into it, and each file
# that shrinks is there in compressed form, too (and by brotli where that is installed).
WEB = build/web
web: ## build the page that needs no server, in build/web: any web server can serve the folder (docs/web.md)
	@rm -rf $(WEB) && mkdir -p $(WEB)/strategies
	@cp -r hexproto/server/page/site/. cmd/gamebots-web/site/. bots/submission/THIRD_PARTY.txt LICENSE $(WEB)/
	@cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(WEB)/
	@cp configs/strategies/*.strategy $(WEB)/strategies/
	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o $(WEB)/gamebots.wasm ./cmd/gamebots-web
	@cd $(WEB) && sed -i '/charset/r $(CURDIR)/cmd/gamebots-web/policy.html' index.html && \
		version=gamebots-$$(find . -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-16) && \
		{ echo "export const VERSION = \"$$version\";" && echo 'export const SIZES = {' && \
		find gamebots.wasm strategies/* -printf '  "%p": %s,\n' && echo '};'; } >js/version.js && \
		go run -C $(CURDIR) ./cmd/gamebots-web "$$PWD" && find . -type d -empty -delete && \
		{ echo "const VERSION = \"$$version\";" && printf 'const FILES = ["./"' && \
		find * -type f -name '*.[jcs]*' ! -name offline.js ! -path 'strategies/*' -printf ', "%p"' && echo '];' && cat offline.js; } >offline.new && \
		mv offline.new offline.js && \
		find . -type f ! -path './strategies/*' -exec gzip -9kn {} + && \
		if command -v brotli >/dev/null; then find . -type f ! -path './strategies/*' ! -name '*.gz' -exec brotli -k {} +; fi
	@du -ch $(WEB)/gamebots.wasm* | sed '$$d'

gpu-test: ## build build/gpu-test/*.test, the tests of GPUs for a machine without Go
	@set -e; for folder in $$(grep -rl --include='*_test.go' 'cudatest.Open(\|cudatest.OpenSome(' * | xargs -n 1 dirname | sort -u); do \
		go test -c -trimpath -ldflags='-s -w' -o build/gpu-test/$$(echo $$folder | tr / -).test ./$$folder; \
	done
	@echo 'on the GPU machine, each of them: ./NAME.test -device cuda'

gpu-bench: ## build both programs in build/gpu-bench, for a GPU machine without Go
	go build -trimpath -ldflags='-s -w' -o build/gpu-bench/ ./cmd/gamebots ./cmd/gamebench
	@echo 'on the GPU machine: gpu-bench/gamebots gpu; gpu-bench/gamebench NAME --device cuda --json'
