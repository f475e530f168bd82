package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// item opens the page of an item of the team.
func (b *tab) item(name string) *tab {
	b.t.Helper()
	return b.visit("/items?runtime_state=any").in("#list").follow("link", name).in("main")
}

func TestITMa_AnyTwoVersionsCompare(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		b := open(t, sharedDemo.get(t)).signIn("ana").item("CoreVM2")
		b.in("#panel").click("radio", "From version 2").click("radio", "To version 1").follow("button", "Compare")
		b.in("#panel").sees("Version 2 to version 1").in("#panel .diff").sees("cpu", "8", "16", "memory", "4")
		deep := b.path()
		if !strings.Contains(deep, "from=2") || !strings.Contains(deep, "to=1") {
			t.Errorf("ITM-b: the comparison is at %s", deep)
		}
		b.in("#panel").follow("link", "Swap").sees("Version 1 to version 2")
		b.visit(deep).in("#panel").sees("Version 2 to version 1")
	})
}

func TestITMa_TheOrderOfKeysIsNoDifference(t *testing.T) {
	t.Parallel()
	p := demo(t)
	tim := p.program(t, "tim")
	tim.submit(`{"TeamBlue":{"Shop":{"services":{"VM":[{"name":"one","cpu":1,"memory":2,"disks":[{"size":5,"tier":"fast"}]}]}}}}`)
	tim.submit(`{"TeamBlue":{"Shop":{"services":{"VM":[{"disks":[{"tier":"fast","size":6}],"memory":2.0,"cpu":1e0,"name":"one"}]}}}}`)
	open(t, p).signIn("tim").item("one").in("#panel .diff").sees("disks[0].size changed 5 6 … 3 unchanged fields")
}

// The worked examples, after the demo's story (ITM-d, marketplace C4).
func TestITMd_RuntimeStatesFollowTheOwner(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	for name, want := range map[string]map[string]string{
		"ana": {"CoreVM1": "In service", "CoreVM2": "In service", "CoreLB1": "In service"},
		"bea": {"CoreVM1": "Requested", "CoreVM2": "Requested", "CoreLB1": "In service"},
	} {
		b := open(t, p).signIn(name).visit("/items?runtime_state=any")
		shown := eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll("#list tbody tr")].map(r => [r.querySelector("bdi").textContent, r.querySelector("[data-label='Runtime state']").innerText.trim()]))`)
		if fmt.Sprint(shown) != fmt.Sprint(want) {
			t.Errorf("%s sees %v, want %v", name, shown, want)
		}
	}
}

func TestITMf_DependentTeamsSeeNoNeighbours(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("nina").visit("/items?as=dependent").in("#list").sees("CoreVM1").seesNot("CoreLB1")
	b.visit("/items?as=dependent&q=CoreVM1&size=25").in("#list tbody tr:last-child").sees("AwesomeConsumer2").follow("link", "CoreVM1").in("main").seesNot("CoreLB1").click("link", "Relations").seesNot("CoreLB1", "Used by")
}

func TestAPPb_TheDownloadChangesNothing(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	b := open(t, p).signIn("bea").visit("/apps").in("#list").follow("link", "NewApp1").in("main")
	b.sees("In service", "LoadBalancer", "4711")
	for _, format := range []string{"JSON", "YAML"} {
		link := eval[string](b, `[...document.querySelectorAll("#declaration-panel a")].find(a => a.innerText.includes("`+format+`")).getAttribute("href")`)
		file := p.person(t, "bea").get(link).body
		editor := open(t, p).signIn("bea").visit("/declare?application=NewApp1&format=" + strings.ToLower(format))
		editor.declare(file).sees("Nothing to do")
	}
}

func TestHOMa_AFigureIsTheLengthOfItsList(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	for _, name := range []string{"ana", "bea", "bo", "lea", "nina"} {
		b := open(t, p).signIn(name)
		figures := eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll("main .card")].filter(c => /^\d+$/.test(c.querySelector("p").innerText)).map(c => [c.querySelector("a").getAttribute("href"), c.querySelector("p").innerText]))`)
		for address, figure := range figures {
			rows := eval[int](b.visit(address), `document.querySelectorAll("#list tbody tr").length`)
			if fmt.Sprint(rows) != figure {
				t.Errorf("%s: the home page says %s, %s has %d rows", name, figure, address, rows)
			}
		}
	}
}
