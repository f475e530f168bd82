package portolan_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/portolan/portolan/"

// may says which of its neighbours each package imports at most; a package
// that is not listed does not exist (docs/architecture.md).
var may = map[string]string{
	"engine":                "engine/schema engine/value",
	"engine/schema":         "engine/value",
	"engine/value":          "",
	"fault":                 "",
	"models":                "engine engine/value fault models/migrations",
	"models/migrations":     "",
	"models/dbtest":         "models models/migrations fault",
	"models/dbtest/cluster": "models/dbtest",
	"market":                "engine engine/schema engine/value fault models",
	"static":                "",
	"views":                 "", // tests of all templates
	"views/icons":           "engine",
	"views/forms":           "views/icons",
	"views/components":      "engine engine/value views/forms views/icons",
	"views/layouts":         "engine static views/components views/forms views/icons",
	"views/pages":           "engine engine/value static views/components views/forms views/icons views/layouts",
	"web":                   "fault market",
	"handlers/pages":        "engine engine/schema engine/value fault market models views/components views/forms views/layouts views/pages web",
	"handlers/api":          "engine engine/schema engine/value fault market models static web",
	"cmd/portolan":          "engine fault handlers/api handlers/pages market models static web",
	"bench":                 "engine engine/schema engine/value models models/dbtest",
	"e2e":                   "",
	"e2e/shots":             "",
}

// outside says who alone may import a library that shapes a layer.
var outside = map[string]string{
	"github.com/gofiber/fiber/v2":              "web handlers/pages handlers/api cmd/portolan",
	"gorm.io/gorm":                             "models models/dbtest market courier cmd/portolan bench",
	"github.com/gorilla/sessions":              "web",
	"github.com/a-h/templ":                     "views/icons views/forms views/components views/layouts views/pages web handlers/pages",
	"github.com/santhosh-tekuri/jsonschema/v6": "engine/schema bench",
}

// All arrows of the architecture point down (architecture section 2).
func TestImportRules(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		pkg, own := strings.CutPrefix(words[0], module)
		if !own {
			continue // the root holds tests only
		}
		allowed, known := may[pkg]
		if !known {
			t.Errorf("the package %s has no row in the import rules", pkg)
		}
		for _, imported := range words[1:] {
			if name, own := strings.CutPrefix(imported, module); own && !lists(allowed, name) {
				t.Errorf("%s must not import %s", pkg, name)
			}
			if users, guarded := outside[imported]; guarded && !lists(users, pkg) {
				t.Errorf("%s must not import %s", pkg, imported)
			}
		}
	}
}

func lists(names, name string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
