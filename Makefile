# `make run` and `make test` need Go and make; what else they need, .ci/setup
# fetches first where it is missing.

export PATH := $(CURDIR)/.build/bin:$(PATH)

# The race detector needs a C compiler: it is used where there is one, and always in CI.
RACE ?= $(if $(CI),-race,$(if $(filter 1,$(shell go env CGO_ENABLED)),-race))

.PHONY: run test lint generate bench

# Serves made-up data; `make run ARGS='--listen 127.0.0.1:9000'` passes flags on.
run:
	@.ci/setup postgres
	@go build -buildvcs=false -o .build/dispo ./cmd/dispo
	@exec .build/dispo demo $(ARGS)

test:
	@.ci/setup postgres redis
	go test $(RACE) -timeout 20m ./...
