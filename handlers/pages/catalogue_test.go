package pages_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

func TestCAT1_SearchTagAndOwner(t *testing.T) {
	t.Parallel()
	w := people(t)
	tags := []string{"compute"}
	_, err := w.market.ChangeService(t.Context(), w.bo(), w.vm.ID, market.ServicePatch{Tags: &tags})
	must(t, err)
	w.declare(`{"name":"a","cpu":1},{"name":"b","cpu":2}`)
	b := w.as("ana")
	b.get("/catalogue").is(200).says("VM", "LB", "A machine", "by Owner", "Approval by the owner", "2 items of yours", "compute")
	b.get("/catalogue?q=machine").says("VM").hides(`id="service-2"`)
	b.get("/catalogue?tag=compute").says(`id="service-1"`).hides(`id="service-2"`)
	b.get("/catalogue?owner="+itoa(w.blue.ID)).says("No service matches", "Clear all filters")
	b.get("/catalogue?colour=red").is(200).says("colour", "was left out")
	b.get("/catalogue?q=VN").says("Did you mean", "VM")
	b.get("/catalogue?q=zzzzzz").says("No service matches").hides("Did you mean")
	w.as("dee").get("/catalogue").is(200).says("VM")
}

func TestCAT_NothingPublishedYet(t *testing.T) {
	t.Parallel()
	w := people(t)
	yes := true
	for _, service := range []models.Service{w.vm, w.lb} {
		_, err := w.market.ChangeService(t.Context(), w.bo(), service.ID, market.ServicePatch{Private: &yes})
		must(t, err)
	}
	w.as("abe").get("/catalogue").says("Nothing is published yet", "Publish one")
	w.as("cy").get("/catalogue").says("Nothing is published yet").hides("Publish one")
}

func TestCATb_ARowPerProperty(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.publish(strings.Replace(vmSchema, `"disks"`, `"tier":{"type":"string","default":"slow"},"disks"`, 1))
	got := w.as("ana").get("/catalogue/1?tab=reference").is(200)
	rows := map[string]string{}
	for _, row := range got.all("tr") {
		rows[attr(row, "id")] = strings.Join(strings.Fields(textOf(row)), " ")
	}
	for id, want := range map[string][]string{
		"field-name": {"string", "required", "web-1", "1"}, "field-cpu": {"integer", "required", "at least 1", "at most 64"},
		"field-tier": {`"slow"`, "2"}, "field-disks": {"array of object"}, "field-disks--size": {"integer", "1"},
	} {
		for _, text := range want {
			if !strings.Contains(rows[id], text) {
				t.Errorf("row %s is %q, without %q", id, rows[id], text)
			}
		}
	}
	w.as("ana").get("/catalogue/2?tab=reference").says("names of", "VM")
}

func TestCATa_ExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	for _, path := range []string{"/catalogue/1?tab=example", "/catalogue/2?tab=example", "/catalogue/2?tab=example&as=yaml"} {
		got := b.get(path).is(200).says("Use in application")
		text := ""
		for _, code := range got.all("code") {
			if attr(code, "id") == "example-text" {
				text = textOf(code)
			}
		}
		verdict, err := w.market.Validate(t.Context(), w.ana(), market.Proposal{Text: []byte(text), YAML: strings.HasSuffix(path, "yaml")})
		must(t, err)
		if !verdict.IsValid {
			t.Errorf("%s: %v\n%s", path, verdict.Problems, text)
		}
	}
	w.as("cy").get("/catalogue/1?tab=example").says("not change them").hides("Use in application")
}

func TestCAT2_VersionsAndCalls(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.publish(strings.Replace(vmSchema, `"maximum":64`, `"maximum":32`, 1))
	b := w.as("ana")
	b.get("/catalogue/1?tab=versions").is(200).says("Version 2", "Version 1", "breaking", "cpu", "The first version.")
	b.get("/catalogue/1?tab=api").is(200).says("curl", "/v1/orcabase/consumer/submissions/submit/")
	b.get("/catalogue/1?tab=nonsense").is(200).says("No readme")
}

func TestCATd_PrivateServicesAreNowhere(t *testing.T) {
	t.Parallel()
	w := people(t)
	yes, blue := true, []int64{w.blue.ID}
	_, err := w.market.ChangeService(t.Context(), w.bo(), w.lb.ID, market.ServicePatch{Private: &yes, AllowedTeams: &blue})
	must(t, err)
	b := w.as("ana")
	b.get("/catalogue").hides(`id="service-2"`)
	b.get("/catalogue?q=LB").hides(`id="service-2"`, "Did you mean")
	for _, tab := range []string{"", "?tab=reference", "?tab=example", "?tab=versions", "?tab=api"} {
		b.get("/catalogue/2" + tab).is(404)
	}
	if missing, foreign := b.get("/catalogue/99"), b.get("/catalogue/2"); strip(missing.text()) != strip(foreign.text()) {
		t.Errorf("the pages differ: %s | %s", missing.text(), foreign.text())
	}
	w.as("tim").get("/catalogue/2").is(200).says("allowed teams only")
}

func strip(text string) string {
	return strings.NewReplacer("/catalogue/99", "", "/catalogue/2", "").Replace(text)
}

func TestCATe_AReadmeActsNowhere(t *testing.T) {
	t.Parallel()
	w := people(t)
	readme := "# Hello\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) <div hx-get=/x>"
	_, err := w.market.ChangeService(t.Context(), w.bo(), w.vm.ID, market.ServicePatch{Readme: &readme})
	must(t, err)
	w.as("ana").get("/catalogue/1").says("<h2>Hello</h2>").hides("onerror", "javascript:", `hx-get="/x"`)
}

// What is hidden by a name that looks like markup stays text.
func TestX16_NamesStayText(t *testing.T) {
	t.Parallel()
	w := people(t)
	name := `<b onclick="x">`
	root := value.Value{Kind: value.String, Text: name}
	w.publish(`{"title":` + string(value.AppendJSON(nil, &root)) + `,"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`)
	got := w.as("ana").get("/catalogue").says(name)
	for _, node := range got.all("b") {
		t.Errorf("the name became markup: %v", node.Attr)
	}
}
