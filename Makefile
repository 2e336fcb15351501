# `make run` and `make test` need only Go and make. .ci/setup fetches whatever
# else is missing.

export PATH := $(CURDIR)/.build/bin:$(PATH):/usr/sbin

# In CI, tests of packages whose state goroutines share run with the race detector, which
# needs a C compiler and takes several times as long.
RACED = $(addprefix dispo/,api api/ratelimit dashboard models models/accounts models/database models/imports models/keys models/mail)

# All packages, those that take longest first.
PACKAGES = $(addprefix dispo/,dashboard/browsertest cmd/dispo cmd/faults web/samples) $(shell go list ./...)

# Most tests wait for something, so more of them run at once than there are processors.
# Without debugging information (-w), linking takes a third less.
TEST = go test -ldflags=-w -timeout 30m -p 4 -parallel 8

GOLANGCI_LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
TEMPL = github.com/a-h/templ/cmd/templ@$(shell go list -m -f '{{.Version}}' github.com/a-h/templ)

# Where `make dev` serves, behind templ's proxy.
DEV_LISTEN ?= 127.0.0.1:8080
DEV_PROXY_PORT ?= 7331

.PHONY: help
help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Serves made-up data. ARGS='--listen 127.0.0.1:9000' serves elsewhere.
	@.ci/setup postgres
	@go build -buildvcs=false -o .build/dispo ./cmd/dispo
	@exec .build/dispo demo $(ARGS)

.PHONY: dev
dev: ## Like run, on http://127.0.0.1:7331, and rebuilds and reloads when a file changes.
	DISPO_LISTEN=$(DEV_LISTEN) DISPO_PUBLIC_URL=http://127.0.0.1:$(DEV_PROXY_PORT) \
	go run $(TEMPL) generate --watch --watch-pattern='\.(go|templ|css|js)$$' --log-level=warn \
		--proxy=http://$(DEV_LISTEN) --proxyport=$(DEV_PROXY_PORT) --open-browser=false --cmd='make run'

.PHONY: test
test: ## Runs all tests.
	@.ci/setup postgres redis chromium axe promtool samples node typescript
	go run ./models/modelstest/server sh -c '(cd api/client/test && $(TEST) ./... && cd ../../leaked/test && $(TEST) ./... && cd ../../../models/signon/test && $(TEST) ./...) & \
		$(if $(CI),$(TEST) -race $(RACED) && $(TEST) $(filter-out $(RACED),$(PACKAGES)),$(TEST) $(PACKAGES)); status=$$?; wait $$! && exit $$status'

.PHONY: format
format: ## Formats the code, with lines of at most 120 characters.
	@for module in . api/client api/client/test api/leaked/test models/signon/test; do (cd $$module && go run $(GOLANGCI_LINT) fmt ./...) || exit; done

.PHONY: lint
lint: ## Checks formatting, the code with go vet and golangci-lint, and the workflows.
	@for module in . api/client api/client/test api/leaked/test models/signon/test; do \
		(set -x && cd $$module && go vet ./... && go run $(GOLANGCI_LINT) run ./...) || exit; done
	go run $(ACTIONLINT)

.PHONY: document
document: ## Lints the OpenAPI document, and compares it with the last release's.
	@.ci/setup node openapi
	@.ci/document

.PHONY: kubernetes
kubernetes: ## Builds docs/kubernetes, and checks it against Kubernetes' schemas.
	@.ci/kubernetes

.PHONY: generate
generate: ## Regenerates all generated files.
	@.ci/setup node typescript
	cd api/client && go generate .
	go generate ./...

.PHONY: release-check
release-check: ## Builds a release twice, and tries its package on a clean Debian, as root.
	@.ci/release-check

.PHONY: image-check
image-check: ## Builds the images, and runs compose.yaml with them beside a PostgreSQL, as root.
	@.ci/image-check

.PHONY: proxies-check
proxies-check: ## Restarts and kills instances under load, behind nginx and HAProxy as docs/operating.md has them.
	@.ci/setup postgres redis nginx haproxy
	go test ./cmd/faults -run 'TestProxies$$' -count=1 -v -timeout 1h -proxies

.PHONY: bench
bench: ## Compares the service with plain baselines. ARGS='-only reads,304' does less.
	@.ci/setup postgres
	go run ./cmd/bench $(ARGS)

.PHONY: faults
faults: ## Kills, cuts, fills and slows everything under load. ARGS='-rounds 200 -clock -soak 20m'.
	@.ci/setup postgres redis samples
	go test ./cmd/faults -count=1 -v -timeout 12h -pace 1 $(ARGS)

.PHONY: failover
failover: ## Crashes the primary and promotes a standby under load, 20 times. DISPO_TEST_ROUNDS changes that.
	@.ci/setup postgres
	DISPO_TEST_ROUNDS=$${DISPO_TEST_ROUNDS:-20} go test ./api -run 'TestFailover$$' -count=1 -v -timeout 2h

.PHONY: screenshots
screenshots: ## Takes the screenshots in docs/ again, from the demo's data.
	@.ci/setup postgres chromium axe
	go test ./dashboard/browsertest -run TestDemo -count=1 -screenshots=docs

.PHONY: release-dump
release-dump: ## Makes the dump of 1.0.0 again, which later releases upgrade. Only until 1.0.0 is tagged.
	@.ci/setup postgres
	go test ./models/database -run '^TestMakeReleaseDump$$' -count=1 -v -release-dump
	go test ./models/database -run '^TestUpgradeOfTheFirstRelease$$' -count=1
