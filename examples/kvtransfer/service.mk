# The service half: the processes, their demonstration, the long test and the measurements.
SOAK ?= 10m

.PHONY: demo soak bench-service

demo: ## run the service, move 200 requests (REQUESTS), provoke the error and ask wherefore about it
	@./demo.sh

soak: ## ten minutes (SOAK) of random faults at a fixed seed, under the race detector
	SOAK=$(SOAK) go test -race -run '^TestSoak$$' -v -timeout 0 ./cluster

bench-service: ## measure the data path and write bench/service.md; iperf3 is used where it is installed
	go run ./bench
