# The pure half: layouts, slices, plans and kvplan.
KV := github.com/wherefore-dev/wherefore/examples/kvtransfer
FUZZTIME ?= 30s

.PHONY: test fuzz
test: ## run the tests of the whole example
	go test $(KV)/...
