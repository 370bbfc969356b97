# Everything that a developer runs. `make help` lists the targets.

GO ?= go
PYTHON_STDLIB ?= $(shell python3 -c "import sysconfig; print(sysconfig.get_paths()['stdlib'])" 2>/dev/null)
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
# The database of known vulnerabilities as a module: raise the version to learn of newer ones.
VULNDB ?= golang.org/x/vulndb@v0.0.0-20261105234957-e22db6528018
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: help build demo test check race vuln fuzz bench accuracy pages clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | sort

build: bin/wherefore ## build bin/wherefore

bin/wherefore: FORCE
	@mkdir -p bin
	$(GO) build -trimpath -o bin/wherefore .
FORCE:

demo: bin/wherefore ## index the Go standard library and find a message of it
	@sh scripts/demo.sh

test: check ## everything that CI runs
	$(GO) test ./...
	$(MAKE) race

check: ## format, vet, static analysis
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' | grep -v testdata)); if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

race: ## the race detector on what runs in parallel
	$(GO) test -race ./internal/index ./internal/catalog ./internal/match ./internal/source ./internal/service ./internal/server ./examples/kvtransfer/wire ./examples/kvtransfer/cluster

vuln: ## known vulnerabilities in what is called, those of the toolchain included; not part of CI
	@cd / && $(GO) mod download $(VULNDB)
	$(GO) run $(GOVULNCHECK) -db file://$$($(GO) env GOMODCACHE)/$(VULNDB)/data/osv ./...

fuzz: ## every fuzz target for 30 seconds
	@for pkg in $$($(GO) list ./internal/...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s $$pkg || exit 1; \
		done; done

bench: ## the benchmarks of bench/results.md, which it rewrites
	$(GO) run ./bench

accuracy: ## what find answers on errors that really happened; rewrites bench/accuracy.md
	$(GO) run ./bench/accuracy

pages: ## what pages of real repositories say and cost; rewrites bench/pages.md
	$(GO) run ./bench/pages

clean: ## remove what was built
	rm -rf bin
