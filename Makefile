# Portolan. "make help" lists what can be done.
GO ?= go
export CGO_ENABLED = 0

.PHONY: help demo test test-all race generate check-generated bench images fuzz vet clean tools

help: ## Say what can be done.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

demo: ## Serve the demo on an embedded database.
	$(GO) run ./cmd/portolan demo

tools: ## Install what the tests need (PostgreSQL, Chromium) from Debian when missing.
	@./.ci/tools

test: tools vet ## Run all tests: units, properties, both databases, REST, browser.
	$(GO) run ./models/dbtest/cluster -- $(GO) test -tags browser -timeout 15m $$($(GO) list ./... | grep -v /e2e)
	$(GO) run ./models/dbtest/cluster -- $(GO) test -timeout 15m ./e2e/... # alone: a browser wants the whole machine

race: tools ## Run all tests but the browser's under the race detector (needs a C compiler).
	CGO_ENABLED=1 $(GO) run ./models/dbtest/cluster -- $(GO) test -race -timeout 25m $$($(GO) list ./... | grep -v /e2e)

vet: ## Check formatting and suspicious code.
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }
	$(GO) vet -tags browser ./...

generate: ## Make the generated files anew: pages, style sheet and script (needs Node.js).
	$(GO) tool templ generate -path views
	npm install --no-save --no-audit --no-fund --silent # not "npm ci": it wants the packages of all platforms
	static/build.sh

check-generated: generate ## Fail when a generated file is not what its sources say.
	@git diff --exit-code --stat -- . || { echo "generated files differ: commit what make generate made"; exit 1; }
	@test -z "$$(git status --porcelain)" || { git status --porcelain; exit 1; }

FUZZ_TIME ?= 30s
fuzz: ## Run each fuzz target for FUZZ_TIME (30s).
	@for pkg in engine engine/value engine/schema; do \
	  for target in $$($(GO) test ./$$pkg -list '^Fuzz' | grep ^Fuzz); do \
	    echo "$$pkg $$target"; $(GO) test ./$$pkg -run XXX -fuzz "^$$target$$" -fuzztime $(FUZZ_TIME) || exit 1; \
	  done; done

bench: tools ## Measure the yardsticks and the product in one run on PostgreSQL.
	$(GO) run ./models/dbtest/cluster --durable -- $(GO) run ./bench

images: tools ## Take the screenshots of docs/images from the running demo.
	$(GO) run ./e2e/shots docs/images

clean: ## Remove what was built.
	rm -rf bin node_modules
