# `make run` and `make test` need Go and make. What else they need, .ci/setup
# fetches first where it is missing.

export PATH := $(CURDIR)/.build/bin:$(PATH)

# The race detector needs a C compiler: it is used where there is one, and in CI
# its absence is a failure. `make test RACE=` goes without.
RACE ?= $(if $(CI),-race,$(if $(filter 1,$(shell go env CGO_ENABLED)),-race))

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: run test lint generate bench screenshots

# Serves made-up data. Flags: make run ARGS='--listen 127.0.0.1:9000'
run:
	@.ci/setup postgres
	@go build -buildvcs=false -o .build/dispo ./cmd/dispo
	@exec .build/dispo demo $(ARGS)

test:
	@.ci/setup postgres redis chromium axe
	go test $(RACE) -timeout 20m ./...

lint:
	@files=$$(gofmt -l .) || exit; [ -z "$$files" ] || { echo "not formatted, gofmt -w does it:" $$files; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

# Writes what is generated from other files anew.
generate:
	go generate ./...

# Measures the service beside plain baselines. All of it takes long; some of it:
# make bench ARGS='-only reads,remembered -records 100000'
bench:
	@.ci/setup postgres
	go run ./cmd/bench $(ARGS)

# Takes the pictures of the pages in docs/ anew, from the demo's data.
screenshots:
	@.ci/setup postgres chromium axe
	go test ./dashboard/browsertest -run TestDemo -count=1 -screenshots=docs
