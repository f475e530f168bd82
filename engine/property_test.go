package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyDocument draws a legal document of a few applications, VMs and LBs that
// refer to declared VMs only.
func anyDocument(t *rapid.T) string {
	var applications []string
	for _, application := range []string{"A", "B"} {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"v", "w", "x", "y"}), 0, 4, rapid.ID[string]).Draw(t, "vms "+application)
		var vms, lbs []string
		for _, name := range names {
			vms = append(vms, fmt.Sprintf(`{"name":%q,"cpu":%d}`, name, rapid.IntRange(1, 3).Draw(t, "cpu")))
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"l", "m"}), 0, 2, rapid.ID[string]).Draw(t, "lbs "+application) {
			refs := "[]"
			if len(names) > 0 {
				list, _ := json.Marshal(rapid.SliceOfN(rapid.SampledFrom(names), 0, 3).Draw(t, "refs"))
				refs = string(list)
			}
			lbs = append(lbs, fmt.Sprintf(`{"name":%q,"vms":%s}`, name, refs))
		}
		applications = append(applications, fmt.Sprintf(`%q:{"services":{"VM":[%s],"LB":[%s]}}`, application, strings.Join(vms, ","), strings.Join(lbs, ",")))
	}
	return `{"Me":{` + strings.Join(applications, ",") + `}}`
}

func drawStage(t *testing.T, r *rapid.T) *stage {
	s := &stage{TB: t, now: Situation{Team: myTeam, Services: services, Applications: map[string]string{}, Guard: guarded}}
	for range rapid.IntRange(0, 3).Draw(r, "submissions") {
		s.submit(anyDocument(r))
	}
	return s
}

// services are compiled once: properties draw many stages.
var services map[string]*Service

func withServices(t *testing.T) {
	t.Helper()
	if services == nil {
		services = catalogue(t)
		services["VM"].Dependants = []Team{npTeam}
	}
}

// Once a plan is carried out, the same declaration asks for nothing more.
func TestComputeSettles(t *testing.T) {
	withServices(t)
	rapid.Check(t, func(r *rapid.T) {
		s, text := drawStage(t, r), anyDocument(r)
		s.submit(text)
		if plan := s.plan(text, Scope{}); !plan.Empty() {
			r.Fatalf("settled declaration %s still asks for %q", text, lines(plan))
		}
	})
}

// The same base and document give the same plan, in the same order (marketplace G10).
func TestG10_Deterministic(t *testing.T) {
	withServices(t)
	rapid.Check(t, func(r *rapid.T) {
		s, text := drawStage(t, r), anyDocument(r)
		first, again := s.plan(text, Scope{}), s.plan(text, Scope{})
		a, _ := json.Marshal(first.View("Me", 1))
		b, _ := json.Marshal(again.View("Me", 1))
		if string(a) != string(b) {
			r.Fatalf("two plans differ:\n%s\n%s", a, b)
		}
	})
}

// The order in which stored items are read does not matter, nor does the order
// of keys within the document for the set of changes.
func TestComputeIgnoresOrder(t *testing.T) {
	withServices(t)
	rapid.Check(t, func(r *rapid.T) {
		s, text := drawStage(t, r), anyDocument(r)
		want := lines(s.plan(text, Scope{}))
		slices.Reverse(s.now.Items)
		if diff := cmp.Diff(want, lines(s.plan(text, Scope{}))); diff != "" {
			r.Fatalf("reversed base (-want +got):\n%s", diff)
		}
	})
}

// A partial document never deletes; every item has at most one change of the
// owner's lane; the counts of the summary add up (lifecycle N2).
func TestPlanInvariants(t *testing.T) {
	withServices(t)
	rapid.Check(t, func(r *rapid.T) {
		s, text := drawStage(t, r), anyDocument(r)
		partial := rapid.Bool().Draw(r, "partial")
		plan, problems := s.try(text, Scope{Partial: partial})
		if len(problems) > 0 {
			r.Fatalf("problems: %+v", problems)
		}
		seen := map[Key]bool{}
		for i := range plan.Changes {
			c := &plan.Changes[i]
			if partial && c.Type == Delete {
				r.Fatalf("a partial document deletes %s", c.Key)
			}
			if !c.Dependent() && seen[c.Key] {
				r.Fatalf("%s has two changes of its own", c.Key)
			}
			seen[c.Key] = seen[c.Key] || !c.Dependent()
			if (c.New == nil) != (c.Type == Delete) || (c.Old == nil) != (c.Type == Create) {
				r.Fatalf("G5: %s of %s has new %v, old %v", c.Type, c.Key, c.New, c.Old)
			}
		}
		sum := plan.Summary()
		if total := sum.Add + sum.Change + sum.Destroy + sum.Referenced + sum.Dependent; total != len(plan.Changes) {
			r.Fatalf("the summary counts %d of %d changes", total, len(plan.Changes))
		}
	})
}

// Whatever text arrives, reading and planning end without a panic, and a plan
// that comes of it settles.
func FuzzCompute(f *testing.F) {
	for _, text := range caseTexts(f) {
		f.Add([]byte(text), false)
	}
	for _, seed := range []string{`{}`, document(vmX1), document(vmX2, lbOnX), document(`"VM":[{"name":"x","cpu":1e400}]`), `{"Me":{"metadata":{"a":1},"A":{"metadata":{},"services":{}}}}`} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, partial bool) {
		s := newStage(t)
		s.submit(document(vmX1, lbOnX))
		plan, problems := s.try(string(text), Scope{Partial: partial})
		if len(problems) > 0 && len(plan.Changes) > 0 {
			t.Fatal("a refused document has a plan")
		}
		for _, p := range problems {
			if p.Message == "" || p.Rule == "" || p.Line < 1 || p.Column < 1 {
				t.Fatalf("a problem without place or sentence: %+v", p)
			}
		}
	})
}

// caseTexts are the raw texts of the acceptance cases, kept small.
func caseTexts(f *testing.F) (texts []string) {
	f.Helper()
	file, err := os.ReadFile("../testdata/generation.json")
	if err != nil {
		f.Fatal(err)
	}
	var all struct {
		Cases []struct {
			Steps []struct {
				Raw string `json:"submit_raw"`
			}
		}
	}
	if err := json.Unmarshal(file, &all); err != nil {
		f.Fatal(err)
	}
	names := strings.NewReplacer("{{Orchard}}", "Me", "{{AwesomeConsumer}}", "Me", "{{Disk}}", "VM", "{{Thing}}", "VM", "{{VM}}", "VM")
	for _, c := range all.Cases {
		for _, step := range c.Steps {
			if step.Raw != "" && len(step.Raw) < 2_000 {
				texts = append(texts, names.Replace(step.Raw))
			}
		}
	}
	return texts
}
