package static_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/portolan/portolan/static"
)

// The budgets of portal C1, in bytes after compression.
var budgets = map[string]int{"app.js": 35 << 10, "app.css": 20 << 10}

func TestC1_BuiltFilesKeepTheirBudgets(t *testing.T) {
	t.Parallel()
	for name, budget := range budgets {
		_, gzipped, _, ok := static.File(static.Path(name))
		if !ok {
			t.Errorf("%s is not built", name)
			continue
		}
		t.Logf("%s: %d of %d bytes", name, len(gzipped), budget)
		if len(gzipped) > budget {
			t.Errorf("%s takes %d bytes compressed, more than %d", name, len(gzipped), budget)
		}
	}
}

func TestC2_NamesCarryTheHashOfTheContent(t *testing.T) {
	t.Parallel()
	for name := range budgets {
		body, _, _, _ := static.File(static.Path(name))
		sum := sha256.Sum256(body)
		if hash := hex.EncodeToString(sum[:])[:10]; !strings.Contains(static.Path(name), "."+hash+".") {
			t.Errorf("Path(%q) = %q does not carry %s", name, static.Path(name), hash)
		}
	}
}

func TestFileKnowsExactPathsOnly(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", "/", "/static/", "/static/app.css", static.Path("app.css") + "/", "/static/../static.go"} {
		if _, _, _, ok := static.File(path); ok {
			t.Errorf("File(%q) finds something", path)
		}
	}
	if _, _, contentType, _ := static.File(static.Path("app.js")); !strings.HasPrefix(contentType, "text/javascript") {
		t.Errorf("app.js is served as %q", contentType)
	}
}
