package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// harbour is a portal with the seeds' teams and services, judged by its document.
type harbour struct {
	*portal
	vmOwner, lbOwner, dependant, consumer, stranger *team
	vm, lb                                          int64
}

func openHarbour(t *testing.T, db *models.DB) *harbour {
	t.Helper()
	p := serve(t, db)
	p.contract = readContract(t, p)
	h := &harbour{portal: p, vmOwner: p.team(t, "VMOwnerTeam"), lbOwner: p.team(t, "LBOwnerTeam"), dependant: p.team(t, "NPOwnerTeam"),
		consumer: p.team(t, "AwesomeConsumer"), stranger: p.team(t, "Stranger")}
	vm := h.vmOwner.do(t, "POST", publishPath, refusing[0])
	vm.want(t, 201)
	lb := h.lbOwner.do(t, "POST", publishPath, strings.Replace(refusing[1], `"LB"`, `"LoadBalancer"`, 1))
	lb.want(t, 201)
	h.vm, h.lb = vm.number(t, "id"), lb.number(t, "id")
	h.vmOwner.do(t, "PATCH", h.service(h.vm), fmt.Sprintf(`{"dependant_teams":[{"id":%d,"name":"NPOwnerTeam"}]}`, h.dependant.id)).want(t, 200)
	return h
}

func (h *harbour) service(id int64) string { return fmt.Sprintf("%s%d/", publishPath, id) }

// declare submits two machines and a load balancer in front of one.
func (h *harbour) declare(t *testing.T, cpu int, query string) reply {
	t.Helper()
	got := h.consumer.do(t, "POST", submitPath+query, fmt.Sprintf(`{"AwesomeConsumer":{"NewApp1":{"services":{
		"VM":[{"name":"CoreVM1","cpu":%d},{"name":"CoreVM2","cpu":16}],"LoadBalancer":[{"name":"CoreLB1","related_vms":["CoreVM1"]}]}}}}`, cpu))
	return got
}

// change finds the newest change of an item that a team processes.
func (h *harbour) change(t *testing.T, of *team, item string) int64 {
	t.Helper()
	got := of.do(t, "GET", "/v1/orcabase/serviceowner/change_instances/?limit=100", "")
	got.want(t, 200)
	for _, row := range got.at(t, "results").([]any) {
		if at(row, "service_item", "name") == item {
			n, _ := at(row, "id").(json.Number).Int64()
			return n
		}
	}
	t.Fatalf("no change of %s", item)
	return 0
}

func changePath(pov string, id int64) string {
	return fmt.Sprintf("/v1/orcabase/%s/change_instances/%d/", pov, id)
}

// has fails unless a shape has all these fields, dots leading inside.
func has(t *testing.T, shape any, fields string) {
	t.Helper()
	for _, field := range strings.Fields(fields) {
		path := strings.Split(field, ".")
		holder, ok := at(shape, path[:len(path)-1]...).(map[string]any)
		if _, there := holder[path[len(path)-1]]; !ok || !there {
			t.Errorf("%s is missing", field)
		}
	}
}

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)

// Every shape has the fields that NetOrca's clients read (api.md section 3).
func TestShapes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		made := h.declare(t, 8, "?commit_id=abc&comment=first")
		made.want(t, 201)
		has(t, made.at(t), "id message change_instances superseded withdrawn summary declaration_version")
		change := h.change(t, h.vmOwner, "CoreVM1")
		moved := h.vmOwner.do(t, "PATCH", changePath("serviceowner", change), `{"state":"APPROVED","log":"fine","deployed_item":{"ip":"10.0.0.1","serial":9007199254740993},"description":"ignored"}`)
		moved.want(t, 200)

		has(t, moved.at(t), `id url created modified state change_type log owner.id owner.name service_owner_team.id service_owner_team.metadata consumer_team.metadata
			service_item.id service_item.name service_item.runtime_state service_item.declaration service_item.deployed_item submission.id submission.commit_id
			service.id service.name service.allow_manual_approval service.allow_manual_completion application.id application.name application.metadata
			new_declaration.version new_declaration.declaration old_declaration is_dependant kind causes retry_of superseded_by assignee delivery diff`)
		again := h.vmOwner.do(t, "GET", changePath("serviceowner", change), "")
		if again.body != moved.body || !strings.Contains(again.body, `"deployed_item":{"ip":"10.0.0.1","serial":9007199254740993}`) || again.text(t, "state") != "APPROVED" {
			t.Errorf("GET after PATCH: %s\n%s", again.body, moved.body)
		}
		if !moment.MatchString(again.text(t, "created")) || !strings.HasPrefix(again.text(t, "url"), h.origin+"/v1/orcabase/serviceowner/change_instances/") {
			t.Errorf("time or address: %s", again.body)
		}
		if again.text(t, "diff", "0", "op") != "add" || again.text(t, "diff", "0", "pointer") != "/name" {
			t.Errorf("diff: %v", again.at(t, "diff"))
		}

		items := h.consumer.do(t, "GET", "/v1/orcabase/consumer/service_items/?name=CoreVM1", "")
		item := h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/service_items/%d/", items.number(t, "results", "0", "id")), "")
		item.want(t, 200)
		has(t, item.at(t), `id url name created modified runtime_state change_state service.id service.name service.owner.id service.state service.healthcheck
			application.id application.metadata application.owner related service_owner_team.id consumer_team.metadata deployed_item.data deployed_item.version declaration
			healthcheck_status is_validated_minimum_schema is_deprecated_service_schema is_service_private
			declaration_version title computed computed_values in_sync in_sync_why deployed_version references referenced_by`)
		if item.at(t, "in_sync") != false || item.text(t, "in_sync_why", "0", "state") == "" || item.text(t, "referenced_by", "0", "name") != "CoreLB1" || item.number(t, "application", "owner") != h.consumer.id {
			t.Errorf("item: %s", item.body)
		}

		service := h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/", h.vm), "")
		has(t, service.at(t), `id name owner.id owner.name state schema.id schema.version schema.schema approval_required allow_manual_approval allow_manual_completion
			allowed_teams dependant_teams healthcheck minimum_schema_version description tags docs url created modified`)
		if service.text(t, "dependant_teams", "0", "name") != "NPOwnerTeam" || service.text(t, "schema", "schema", "title") != "VM" {
			t.Errorf("service: %s", service.body)
		}

		deployed := h.consumer.do(t, "GET", "/v1/orcabase/consumer/deployed_items/", "")
		has(t, deployed.at(t, "results", "0"), "id url version data service_item change_instance consumer_team service_owner_team created modified")
		applications := h.consumer.do(t, "GET", "/v1/orcabase/consumer/applications/?light=true", "")
		if applications.text(t, "results", "0", "owner", "name") != "AwesomeConsumer" || applications.text(t, "results", "0", "runtime_state") != "IN_SERVICE" {
			t.Errorf("applications: %s", applications.body)
		}
		history := h.consumer.do(t, "GET", changePath("consumer", change)+"history/", "")
		has(t, history.at(t, "0"), "id state log modified reason changed_by changed_by_team via")
		if history.text(t, "0", "changed_by") != "ADMIN robot (Api Key)" || history.number(t, "0", "id") != change {
			t.Errorf("history: %s", history.body)
		}
		submissions := h.consumer.do(t, "GET", "/v1/orcabase/consumer/submissions/?commit_id=abc", "")
		detail := h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/submissions/%d/", submissions.number(t, "results", "0", "id")), "")
		if len(detail.at(t, "change_instances").([]any)) != 5 || !strings.Contains(detail.text(t, "text"), "\n") || detail.text(t, "comment") != "first" {
			t.Errorf("submission: %s", detail.body)
		}
	})
}

// Every route that reads answers as its document says, for each team.
func TestContract_EveryReadingRoute(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		h.declare(t, 9, "").want(t, 201)
		change := h.change(t, h.vmOwner, "CoreVM1")
		h.vmOwner.do(t, "PUT", changePath("serviceowner", change), `{"deployed_item":{"a":1}}`).want(t, 200)
		preview := h.consumer.do(t, "POST", "/v1/orcabase/consumer/previews/", `{"AwesomeConsumer":{}}`)
		preview.want(t, 201)
		for path, operations := range at(h.contract.document, "paths").(map[string]any) {
			if _, reads := operations.(map[string]any)["get"]; !reads || strings.Contains(path, "activate") {
				continue
			}
			for _, of := range []*team{h.vmOwner, h.lbOwner, h.dependant, h.consumer, h.stranger} {
				for _, request := range []string{h.filled(t, path, of, change, preview.text(t, "preview_id")), h.filled(t, path, of, 999999, "0198c0de-0000-7000-8000-000000000000")} {
					if got := of.do(t, "GET", request, ""); got.status != 200 && got.status != 404 && got.status != 403 {
						t.Errorf("%s: GET %s: %d %s", of.name, request, got.status, got.body)
					}
				}
			}
		}
	})
}

// filled puts numbers into the holes of a path.
func (h *harbour) filled(t *testing.T, path string, of *team, id int64, preview string) string {
	t.Helper()
	fill := map[string]string{"id": fmt.Sprint(id), "n": "1", "key": "1"}
	switch {
	case strings.Contains(path, "previews"):
		fill["id"] = preview
	case strings.Contains(path, "teams") && id != 999999:
		fill["id"] = fmt.Sprint(of.id)
	case strings.Contains(path, "/services/") && id != 999999:
		fill["id"] = fmt.Sprint(h.vm)
	case id != 999999 && !strings.Contains(path, "change_instances"):
		fill["id"] = "1"
	}
	return regexp.MustCompile(`\{(\w+)\}`).ReplaceAllStringFunc(path, func(hole string) string { return fill[hole[1:len(hole)-1]] })
}

// What is not a team's own is not there for it (marketplace A2).
func TestA2_Visibility(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		h.vmOwner.do(t, "PATCH", h.service(h.vm), fmt.Sprintf(`{"allowed_teams":[%d,%d]}`, h.consumer.id, h.lbOwner.id)).want(t, 200)
		change := h.change(t, h.vmOwner, "CoreVM1")
		for of, sees := range map[*team]map[string]int{
			h.consumer:  {"consumer/change_instances": 5, "serviceowner/change_instances": 0, "consumer/service_items": 3, "consumer/services": 2, "serviceowner/services": 0, "consumer/applications": 1, "serviceowner/applications": 0, "consumer/submissions": 1},
			h.vmOwner:   {"consumer/change_instances": 0, "serviceowner/change_instances": 2, "serviceowner/service_items": 2, "consumer/service_items": 0, "serviceowner/services": 1, "serviceowner/applications": 1, "consumer/submissions": 0},
			h.lbOwner:   {"serviceowner/change_instances": 1, "serviceowner/service_items": 1, "consumer/services": 2},
			h.dependant: {"serviceowner/change_instances": 2, "serviceowner/change_instances/dependant": 2, "serviceowner/service_items": 0, "serviceowner/service_items/dependant": 2, "consumer/services": 2, "serviceowner/services/dependant": 1, "serviceowner/applications": 1},
			h.stranger:  {"consumer/change_instances": 0, "serviceowner/change_instances": 0, "serviceowner/service_items": 0, "consumer/services": 1, "serviceowner/applications": 0},
		} {
			for path, want := range sees {
				got := of.do(t, "GET", "/v1/orcabase/"+path+"/", "")
				if n := got.number(t, "count"); n != int64(want) || len(got.at(t, "results").([]any)) != want {
					t.Errorf("%s: %s has %d, want %d", of.name, path, n, want)
				}
			}
		}
		for _, path := range []string{changePath("consumer", change), changePath("serviceowner", change), changePath("serviceowner", change) + "history/", fmt.Sprintf("/v1/orcabase/consumer/services/%d/", h.vm)} {
			if got := h.stranger.do(t, "GET", path, ""); got.status != 404 || got.body != `{"detail":"Not found."}` {
				t.Errorf("a stranger at %s: %d %s", path, got.status, got.body)
			}
		}
		h.dependant.do(t, "PATCH", changePath("serviceowner", change), `{"state":"APPROVED"}`).want(t, 404)
		h.consumer.do(t, "PATCH", changePath("serviceowner", change), `{"state":"APPROVED"}`).want(t, 404)
		seen := h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/", h.vm), "")
		own := h.vmOwner.do(t, "GET", h.service(h.vm), "")
		if len(seen.at(t, "allowed_teams").([]any)) != 0 || len(own.at(t, "allowed_teams").([]any)) != 2 || own.at(t, "private") != true {
			t.Errorf("allowed teams: consumer %v, owner %v", seen.at(t, "allowed_teams"), own.at(t, "allowed_teams"))
		}
	})
}

// A step is taken whole or not at all, and says why it is refused (marketplace C1 to C5).
func TestMoves(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		change := h.change(t, h.vmOwner, "CoreVM1")
		reader, path := h.vmOwner.keyOf(t, "READ_ONLY"), changePath("serviceowner", change)
		for _, tc := range []struct {
			body   string
			status int
			says   string
		}{
			{`{}`, 400, "at least one"}, {``, 400, "at least one"}, {`{"description":"x"}`, 400, "at least one"}, {`{"deployed_item":null}`, 400, "deployed_item"},
			{`{"state":7}`, 400, `"state"`}, {`{"state":"DONE"}`, 400, `"state"`}, {`{"state":"approved"}`, 400, `"state"`}, {`{"STATE":"APPROVED"}`, 400, "at least one"}, {`{"log":5}`, 400, `"log"`},
			{`{"state":"COMPLETED","deployed_item":{"a":1}}`, 400, `{"state":["A change instance cannot go from PENDING to COMPLETED."]}`},
			{`{"state":"APPROVED","state":"REJECTED"}`, 400, "problems"}, {`[]`, 400, "object"}, {`{"log":"` + strings.Repeat("x", 10001) + `"}`, 400, `"log"`},
			{`{"deployed_item":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, 413, "detail"},
		} {
			if got := h.vmOwner.do(t, "PATCH", path, tc.body); got.status != tc.status || !strings.Contains(got.body, tc.says) {
				t.Errorf("%.60s: %d %s", tc.body, got.status, got.body)
			}
		}
		h.ask(t, "PATCH", path, reader, `{"state":"APPROVED"}`).want(t, 403)
		h.vmOwner.do(t, "PATCH", path, `{"state":"APPROVED"}`, "Content-Type: text/plain").want(t, 415)
		h.vmOwner.do(t, "PATCH", path, `{"state":"APPROVED"}`, `If-Match: "99"`).want(t, 412)
		before := h.vmOwner.do(t, "GET", path, "")
		if before.text(t, "state") != "PENDING" || before.header.Get("ETag") != `"1"` {
			t.Errorf("moved by a refusal: %s", before.body)
		}
		h.vmOwner.do(t, "POST", path, `{"state":"APPROVED"}`, `If-Match: "1"`).want(t, 200)
		h.vmOwner.do(t, "PUT", strings.TrimSuffix(path, "/"), `{"state":"ERROR","log":"no room"}`).want(t, 200)
		retried := h.consumer.do(t, "POST", changePath("consumer", change)+"retry/", "")
		retried.want(t, 201)
		if retried.number(t, "retry_of") != change || retried.at(t, "submission") != nil {
			t.Errorf("retry: %s", retried.body)
		}
		withdrawn := h.consumer.do(t, "POST", changePath("consumer", retried.number(t, "id"))+"withdraw/", `{"reason":"not needed"}`)
		withdrawn.want(t, 200)
		if withdrawn.text(t, "state") != "CLOSED" || !strings.Contains(withdrawn.text(t, "log"), "not needed") {
			t.Errorf("withdraw: %s", withdrawn.body)
		}
		bulk := h.vmOwner.do(t, "POST", "/v1/orcabase/serviceowner/change_instances/bulk/", fmt.Sprintf(`{"ids":[%d,%d,424242],"state":"APPROVED"}`, change, h.change(t, h.vmOwner, "CoreVM2")))
		bulk.want(t, 200)
		if bulk.at(t, "results", "0", "ok") != false || bulk.at(t, "results", "1", "ok") != true || bulk.at(t, "results", "2", "ok") != false || bulk.text(t, "results", "1", "state") != "APPROVED" {
			t.Errorf("bulk: %s", bulk.body)
		}
		h.vmOwner.do(t, "POST", "/v1/orcabase/serviceowner/change_instances/bulk/", `{"ids":[1],"state":"APPROVED","colour":"red"}`).want(t, 400)
	})
}

// An owner attaches deployed items on their own, too (marketplace I1, I2).
func TestI1_DeployedItems(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		item := h.vmOwner.do(t, "GET", "/v1/orcabase/serviceowner/service_items/?name=CoreVM1", "").text(t, "results", "0", "url")
		change := h.origin + changePath("serviceowner", h.change(t, h.vmOwner, "CoreVM1"))
		const path = "/v1/orcabase/serviceowner/deployed_items/"
		body := func(field, address string) string {
			return `{"data":{"n":1.0},` + quoted(field) + `:` + quoted(address) + `}`
		}
		first := h.vmOwner.do(t, "POST", path, body("service_item", item))
		first.want(t, 201)
		if first.text(t, "service_item") != item || first.number(t, "version") != 1 || !strings.Contains(first.body, `"n":1.0`) {
			t.Errorf("first: %s", first.body)
		}
		h.vmOwner.do(t, "POST", path, strings.Replace(body("change_instance", change), "1.0", "1", 1)).want(t, 200)
		h.vmOwner.do(t, "POST", path, strings.Replace(body("change_instance", change), "1.0", "2", 1)).want(t, 201)
		for _, bad := range []string{`{}`, `{"data":{}}`, `{"data":[],"service_item":1}`, `{"data":{},"service_item":"x"}`, `{"data":{},"service_item":1,"change_instance":1}`, `{"data":{},"service_item":1,"more":1}`} {
			h.vmOwner.do(t, "POST", path, bad).want(t, 400)
		}
		h.lbOwner.do(t, "POST", path, body("service_item", item)).want(t, 404)
		h.consumer.do(t, "POST", path, body("service_item", item)).want(t, 404)
		versions := h.consumer.do(t, "GET", "/v1/orcabase/consumer/deployed_items/?ordering=version", "")
		if versions.number(t, "count") != 2 || versions.number(t, "results", "0", "version") != 1 {
			t.Errorf("versions: %s", versions.body)
		}
	})
}

// Settings of services change what comes later; the rest is refused (marketplace S6).
func TestServices(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		path := h.service(h.vm)
		set := h.vmOwner.do(t, "PUT", path, `{"approval_required":false,"allow_manual_approval":false,"allow_manual_completion":false,"state":"NO_NEW_SERVICE_ITEM",
			"description":"Machines","docs":"# Hello","tags":["compute","vm"],"minimum_schema_version":1}`)
		set.want(t, 200)
		if set.text(t, "docs") != "# Hello" || set.text(t, "tags", "1") != "vm" || set.at(t, "approval_required") != false || set.text(t, "state") != "NO_NEW_SERVICE_ITEM" {
			t.Errorf("settings: %s", set.body)
		}
		for _, bad := range []string{`{"state":"OPEN"}`, `{"owner":1}`, `{"tags":"x"}`, `{"approval_required":"yes"}`, `{"dependant_teams":[424242]}`, `{"minimum_schema_version":9}`, `{"Private":true}`} {
			h.vmOwner.do(t, "PATCH", path, bad).want(t, 400)
		}
		h.vmOwner.do(t, "PATCH", path, `{"private":true}`, `If-Match: "1"`).want(t, 412)
		h.lbOwner.do(t, "PATCH", path, `{"private":true}`).want(t, 403)
		h.ask(t, "PATCH", path, h.vmOwner.keyOf(t, "GENERAL"), `{"private":true}`).want(t, 403)
		h.vmOwner.do(t, "POST", publishPath, refusing[0]).want(t, 200)
		h.lbOwner.do(t, "POST", publishPath, refusing[0]).want(t, 409)
		h.vmOwner.do(t, "POST", publishPath, "title: VM\ntype: object\nrequired: [name]\nproperties:\n  name: {type: string}\n", "Content-Type: application/yaml").want(t, 201)
		if got := h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/versions/", h.vm), ""); got.number(t, "count") != 2 || got.number(t, "results", "0", "version") != 2 {
			t.Errorf("versions: %s", got.body)
		}
		h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/versions/1/", h.vm), "").want(t, 200)
		h.consumer.do(t, "GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/versions/3/", h.vm), "").want(t, 404)
		if got := h.consumer.do(t, "GET", "/v1/orcabase/consumer/services/tags/", ""); !slices.Equal(got.at(t, "results").([]any), []any{"compute", "vm"}) {
			t.Errorf("tags: %s", got.body)
		}
		if got := h.consumer.do(t, "GET", "/v1/orcabase/consumer/services/?tag=vm&state=NO_NEW_SERVICE_ITEM&owner_id="+fmt.Sprint(h.vmOwner.id), ""); got.number(t, "count") != 1 {
			t.Errorf("filtered: %s", got.body)
		}
		verdict := h.vmOwner.do(t, "POST", publishPath+"validate/?dry_run=true", `{"title":"VM","type":"object"}`)
		verdict.want(t, 200)
		if verdict.at(t, "is_valid") != false || len(verdict.at(t, "problems").([]any)) == 0 {
			t.Errorf("verdict: %s", verdict.body)
		}
		h.vmOwner.do(t, "POST", publishPath+"validate/", refusing[0]).want(t, 200)
	})
}
