package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// declare writes a document into the editor and asks what it would do.
func (b *tab) declare(document string) *tab {
	b.t.Helper()
	return b.fill("Declaration", document).send("Preview")
}

// plans waits until the preview is exactly this, line by line in its order.
func (b *tab) plans(want ...string) *tab {
	b.t.Helper()
	b.eventually("preview", func() string { return differs(want, b.plan()) })
	return b
}

// plan reads the preview: "CREATE CoreVM1 → VMOwnerTeam, starts Pending, direct".
func (b *tab) plan() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("#plan > li")].map(li => {
		const says = li.querySelector("summary").innerText.replace(/\s+/g, " ");
		const owner = says.match(/goes to (\S+)/)?.[1], first = says.match(/starts Pending|approved at once/)?.[0];
		return li.dataset.type + " " + li.querySelector("strong").textContent + " → " + owner + ", " + first + ", " + li.querySelector(".cause").innerText.replace(/\s+/g, " ");
	})`)
}

// generated reads the changes of a submission: "CREATE CoreVM1 → VMOwnerTeam".
func (b *tab) generated() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("details[id^=change-]")].map(d => {
		const says = d.querySelector("summary").innerText.replace(/\s+/g, " ");
		return d.dataset.type + " " + d.querySelector("strong").textContent.split(" / ").pop() + " → " + says.match(/→ (\S+)/)?.[1];
	})`)
}

func differs(want, got []string) string {
	if strings.Join(want, "\n") == strings.Join(got, "\n") {
		return ""
	}
	return "want\n  " + strings.Join(want, "\n  ") + "\ngot\n  " + strings.Join(got, "\n  ")
}

var firstState = regexp.MustCompile(`, (starts Pending|approved at once), .*`)

// submit submits what was previewed; what comes of it must be what was shown (DEC-k).
func (b *tab) submit() *tab {
	b.t.Helper()
	var want []string
	for _, line := range b.plan() {
		want = append(want, firstState.ReplaceAllString(line, ""))
	}
	b.click("button", "Submit").until("the submission is shown", `/^\/submissions\/\d+$/.test(location.pathname) && document.readyState === "complete"`)
	if different := differs(want, b.generated()); different != "" {
		b.t.Errorf("DEC-k: previewed and generated differ: %s", different)
	}
	return b
}

const (
	vm1, vm2      = `{"name":"CoreVM1","cpu":8,"memory":2}`, `{"name":"CoreVM2","cpu":16,"memory":4}`
	vm1Wider      = `{"name":"CoreVM1","cpu":16,"memory":8}`
	lb1           = `{"name":"CoreLB1","algorithm":"RoundRobin"}`
	lb1OfVM1      = `{"name":"CoreLB1","algorithm":"RoundRobin","related_vms":["CoreVM1"]}`
	timsShop      = `{"TeamBlue":{"Shop":{"services":{"VM":[` + vm1 + `]}}}}`
	timsWiderShop = `{"TeamBlue":{"Shop":{"services":{"VM":[` + vm1Wider + `]}}}}`
)

// document is what AwesomeConsumer declares of its NewApp1.
func document(vms, lbs string) string {
	services := `"VM":[` + vms + `]`
	if lbs != "" {
		services += `,"LoadBalancer":[` + lbs + `]`
	}
	return `{"AwesomeConsumer":{"NewApp1":{"services":{` + services + `}}}}`
}

func TestDECd_DeletionsAreTyped(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		b := open(t, p).expect(422, 409).signIn("tim").visit("/declare?application=Shop")
		b.declare(timsShop).plans("CREATE CoreVM1 → VMOwnerTeam, starts Pending, direct", "CREATE CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam").submit()

		const gone = `{"TeamBlue":{"Shop":{"services":{}}}}`
		const deletion = "DELETE CoreVM1 → VMOwnerTeam, starts Pending, direct"
		b.visit("/declare?application=Shop").declare(gone).plans(deletion, "DELETE CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam")
		b.in("#plan").sees("−", "not in the declaration")
		b.in("#confirm").sees("Confirm deletions")
		token := eval[string](b, `document.querySelector("[name=preview]").value`)

		tim := p.person(t, "tim")
		forge := func(typed ...string) answer {
			fields := append([]string{"declaration", gone, "application", "Shop", "format", "json", "preview", token, "comment", "tidying up", "idempotency_key", "forged-key-" + strings.Join(typed, "-") + "-0000"}, typed...)
			return tim.post("/declare", fields...)
		}
		for _, typed := range [][]string{nil, {"confirm_for", "Shop", "confirm", "shop"}} {
			a := forge(typed...)
			if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "tidying up") {
				t.Errorf("deleting with %v answers %d", typed, a.status)
			}
		}
		if a := tim.get("/submissions"); strings.Count(a.body, `id="submission-`) != 1 {
			t.Error("something was stored")
		}
		b.typeDeletion("CoreVM1x").send("Submit").sees("exactly as it is written")
		if b.path() == "/submissions" {
			t.Error("a wrong name submits")
		}
		b.typeDeletion("").typeDeletion(b.expected()).submit()
	})
}

// typeDeletion types a name into the field that confirms a deletion.
func (b *tab) typeDeletion(name string) *tab {
	b.t.Helper()
	fields := b.in("#confirm").all("textbox")
	if len(fields) != 1 {
		b.t.Fatalf("there are %d fields to confirm", len(fields))
	}
	b.write(fields[0], name)
	return b
}

// expected is what has to be typed to confirm a deletion.
func (b *tab) expected() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("#confirm [data-expect]").dataset.expect`)
}

func TestDECh_WhatIsOpenAndTypedSurvivesAPreview(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).expect(422).signIn("ana").visit("/declare?application=NewApp1")
	b.declare(document("", "")).until("the machine would go", `document.querySelectorAll("#plan > li[data-type=DELETE]").length > 0`)
	b.do("open the first row", openRow)
	row := eval[string](b, `document.querySelector("#plan details[open]").id`)
	fields := b.in("#confirm").all("textbox")
	b.write(fields[0], "Cor")
	b.fill("Comment", "half a thought").fill("Declaration", document("", "")+" ")
	b.until("the preview is a new one", `document.querySelector("#preview-status").textContent.includes("What submitting")`)
	b.send("Preview")
	b.until("the row is open still", `document.getElementById("`+row+`")?.open === true`)
	if typed := b.valueOf(b.in("#confirm").all("textbox")[0]); typed != "Cor" {
		t.Errorf("the half-typed name is now %q", typed)
	}

	wrong := strings.Replace(document(vm1, ""), "8", `"eight"`, 1)
	b.fill("Declaration", wrong).in("#problems-box").sees(fmt.Sprintf("1:%d", strings.Index(wrong, `"eight"`)+1), "cpu must be an integer")
	b.in("#preview-status").sees("1 problem")
	b.until("the last good preview stays", `document.querySelectorAll("#plan > li[data-type=DELETE]").length > 0`)
}

func TestDECj_ADoubleClickSubmitsOnce(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).signIn("tim").visit("/declare?application=Shop").declare(timsShop)
	b.plans("CREATE CoreVM1 → VMOwnerTeam, starts Pending, direct", "CREATE CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam")
	button := b.find("button", "Submit 2 changes")
	b.do("click twice", clicks(button, 2))
	b.until("the submission is shown", `location.pathname.startsWith("/submissions/")`)
	if rows := strings.Count(p.person(t, "tim").get("/submissions").body, `id="submission-`); rows != 1 {
		t.Errorf("there are %d submissions", rows)
	}
	if changes := len(b.visit("/changes").rows()); changes != 2 {
		t.Errorf("there are %d changes", changes)
	}
}

func TestDEC7_AStalePreviewIsRefused(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		b := open(t, p).expect(409, 422).signIn("tim").visit("/declare?application=Shop").declare(timsShop)
		b.plans("CREATE CoreVM1 → VMOwnerTeam, starts Pending, direct", "CREATE CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam")
		b.fill("Comment", "the first machine")
		p.program(t, "tim").submit(timsWiderShop)
		b.click("button", "Submit").sees("tim submitted #8 since your preview", "CoreVM1")
		if text, comment := b.value("Declaration"), b.value("Comment"); text != timsShop || comment != "the first machine" {
			t.Errorf("what was typed is now %q, %q", text, comment)
		}
		b.plans("MODIFY CoreVM1 → VMOwnerTeam, starts Pending, direct", "MODIFY CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam").submit()
	})
}

func TestDECc_ThePreviewIsThePlanOfTheAPI(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	const text = `{"AwesomeConsumer2":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":2,"memory":2},{"name":"New","cpu":1,"memory":1}],"LoadBalancer":[{"name":"CoreLB1","related_vms":["CoreVM1"],"algorithm":"LeastConnections"}]}}}}`
	b := open(t, p).signIn("bea").visit("/declare").declare(text).until("there is a plan", `document.querySelectorAll("#plan > li").length > 3`)
	a := p.program(t, "bea").ask("POST", "/v1/orcabase/consumer/submissions/validate/", "application/json", text)
	var verdict struct {
		Plan struct {
			Summary struct{ Add, Change, Destroy, Referenced, Dependent int }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &verdict); err != nil || a.status != http.StatusOK {
		t.Fatalf("validating answers %d %s", a.status, a.body)
	}
	s := verdict.Plan.Summary
	want := []int{s.Add, s.Change, s.Destroy, s.Referenced, s.Dependent}
	shown := eval[[]int](b, `["data-type=CREATE", "data-type=MODIFY", "data-type=DELETE", "data-cause=referenced", "data-cause=dependent"].map((what, i) =>
		[...document.querySelectorAll("#plan > li[" + what + "]")].filter(li => i > 2 || li.dataset.cause === "basic").length)`)
	if !slices.Equal(shown, want) {
		t.Errorf("the preview shows %v, the API plans %v of %s", shown, want, a.body)
	}
}

func TestDECi_NumbersStayAsTheyWereWritten(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		open(t, p).signIn("abe").visit("/services/new").fill("Schema", `{"title":"Exact","type":"object","required":["name"],"properties":{"name":{"type":"string"},"serial":{"type":"integer"},"load":{"type":"number"}}}`).
			click("button", "Publish").until("it is published", `/\/services\/\d+/.test(location.pathname)`)
		const numbers = `{"name": "one", "serial": 9007199254740993, "load": 0.1000000000000000055}`
		b := open(t, p).signIn("tim").visit("/declare?application=Shop")
		b.fill("Declaration", `{"TeamBlue": {"Shop": {"services": {"Exact": [`+numbers+`]}}}}`).follow("button", "YAML")
		b.exact("serial: 9007199254740993", "load: 0.1000000000000000055")
		b.follow("button", "JSON").exact(`"serial": 9007199254740993`, `"load": 0.1000000000000000055`)
		posted := b.value("Declaration")
		b.send("Preview").plans("CREATE one → AwesomeConsumer, starts Pending, direct").submit().sees("9007199254740993", "0.1000000000000000055")

		raw := p.person(t, "tim").get(b.path() + "/text")
		if raw.body != strings.ReplaceAll(posted, "\n", "\r\n") && raw.body != posted {
			t.Errorf("SUB-c: the text is %q, posted was %q", raw.body, posted)
		}
		b.visit("/declare?application=Shop").exact(`"serial": 9007199254740993`, `"load": 0.1000000000000000055`)
		b.send("Preview").sees("Nothing to do")
	})
}

// exact says that the editor holds these texts.
func (b *tab) exact(texts ...string) *tab {
	b.t.Helper()
	for _, text := range texts {
		if value := b.value("Declaration"); !strings.Contains(value, text) {
			b.t.Errorf("the editor does not hold %s:\n%s", text, value)
		}
	}
	return b
}

func TestSUBc_TheTextIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	p := demo(t)
	tim := p.program(t, "tim")
	const posted = "{\"TeamBlue\" :\t{\"Shop\":{\"services\":{\"VM\":[ {\"name\":\"a\",\"cpu\":1.0,\"memory\":2e0}\n]}}}}\r\n\r\n"
	tim.submit(posted)
	b := open(t, p).signIn("tim").visit("/submissions").in("#list").follow("link", "#8")
	if raw := p.person(t, "tim").get(b.path() + "/text"); raw.body != posted {
		t.Errorf("the text is %q, posted was %q", raw.body, posted)
	}
}
