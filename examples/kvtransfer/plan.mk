# The pure half: layouts, slices, plans and kvplan.
FUZZTIME ?= 30s
BENCHCOUNT ?= 5

.PHONY: test fuzz bench-plan

test: ## run the tests of the whole example
	go test ./...

# The fuzzer takes one function at a time.
fuzz: ## fuzz everything that reads what others wrote, FUZZTIME each
	@for pkg in $$(go list ./...); do \
		list=$$(go test -list '^Fuzz' $$pkg) || exit 1; \
		for f in $$(echo "$$list" | grep '^Fuzz'); do \
			echo "$$pkg $$f"; \
			go test $$pkg -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x || exit 1; \
		done; \
	done

bench-plan: ## measure planning and write bench/plan.md
	go test -run '^$$' -bench . -count $(BENCHCOUNT) ./plan > bench/plan.tmp
	awk -v go="$$(go env GOVERSION)" -f bench/plan.awk bench/plan.tmp > bench/plan.md
	rm bench/plan.tmp
