package e2e_test

import (
	"os"
	"strings"
	"testing"
)

// TestStory plays the marketplace from first-run set-up to a deletion, by pages
// alone: with script, without, and on PostgreSQL.
func TestStory(t *testing.T) {
	t.Parallel()
	t.Run("with script", func(t *testing.T) { t.Parallel(); playStory(t, empty(t, sqlite(t)), open) })
	t.Run("without script", func(t *testing.T) {
		t.Parallel()
		playStory(t, empty(t, sqlite(t)), func(t *testing.T, p *portal) *tab { return open(t, p).withoutScript() })
	})
	t.Run("on PostgreSQL", func(t *testing.T) { t.Parallel(); playStory(t, empty(t, postgres(t)), open) })
}

// story is the world of the worked examples, each person in a browser.
type story struct {
	t                       *testing.T
	bo, ben, lea, nina, ana *tab
}

func playStory(t *testing.T, p *portal, open func(*testing.T, *portal) *tab) {
	s := &story{t: t, bo: open(t, p), ben: open(t, p), lea: open(t, p), nina: open(t, p), ana: open(t, p)}
	s.setUp(p.code)
	s.services()
	s.firstSubmissions()
	s.decisions()
	s.reference()
	s.deletion()
	s.twoPeople()
}

// setUp opens the portal: bo is the first user, makes the others and their teams.
func (s *story) setUp(code string) {
	s.bo.visit("/").fill("Set-up code", code).fill("Your name", "bo").fill("Password", password).fill("First team", "VMOwnerTeam")
	s.bo.follow("button", "Set up").sees("The portal is set up")
	for _, name := range []string{"ben", "lea", "nina", "ana"} {
		s.bo.visit("/admin/users").in("#create").fill("Name", name).fill("First password", password).follow("button", "Create user").in("#list").sees(name)
	}
	for team, admin := range map[string]string{"LBOwnerTeam": "lea", "NPOwnerTeam": "nina", "AwesomeConsumer": "ana"} {
		s.bo.visit("/admin/teams").in("#create").fill("Name", team).fill("First admin", admin).follow("button", "Create team").in("#list").sees(team)
	}
	s.bo.visit("/teams").in("main").follow("link", "VMOwnerTeam")
	s.bo.fill("Name of the user", "ben").click("radio", "General").follow("button", "Add").in("#list").sees("ben")
	s.bo.openMenu("bo").follow("button", "Sign out")
	for name, b := range map[string]*tab{"bo": s.bo, "ben": s.ben, "lea": s.lea, "nina": s.nina, "ana": s.ana} {
		b.signIn(name)
	}
}

// services publishes the two services; a broken schema stays where it is.
func (s *story) services() {
	s.bo.publish(s.read("vm"), "VM")
	s.lea.publish(s.read("loadbalancer"), "LoadBalancer")
	s.ana.visit("/catalogue").in("main").sees("VM", "VMOwnerTeam", "LoadBalancer", "LBOwnerTeam")
}

func (s *story) read(file string) string {
	s.t.Helper()
	text, err := os.ReadFile("../cmd/portolan/demo/" + file + ".json")
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (b *tab) publish(schema, name string) {
	b.t.Helper()
	b.visit("/services/new").fill("Schema", schema).follow("button", "Publish")
	b.visit("/services").in("#list").sees(name)
}

// firstSubmissions are the first tables of the worked examples (DEC-g).
func (s *story) firstSubmissions() {
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1+","+vm2, "")).
		plans("CREATE CoreVM1 → VMOwnerTeam, starts Pending, direct", "CREATE CoreVM2 → VMOwnerTeam, starts Pending, direct")
	s.ana.in("#preview-body").sees("+2")
	s.ana.submit().sees("+2")
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1+","+vm2, lb1)).
		plans("CREATE CoreLB1 → LBOwnerTeam, starts Pending, direct").submit()
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1Wider+","+vm2, lb1)).
		plans("MODIFY CoreVM1 → VMOwnerTeam, starts Pending, direct").submit()
	s.ana.visit("/declare?application=NewApp1").send("Preview").sees("Nothing to do")
}

// decisions: the owner approves from the queue, completes with a deployed item,
// and the consumer sees it.
func (s *story) decisions() {
	for _, item := range []string{"CoreVM1", "CoreVM2"} {
		s.bo.decide("CREATE", item, "Approve", "Approved")
	}
	s.bo.openChange("CREATE", "CoreVM1").fill("Log", "Running in rack 12").fill("Deployed item", `{"ip": "10.20.0.11", "serial": 9007199254740993}`).send("Complete")
	s.bo.in("#timeline").sees("Completed", "Running in rack 12")
	s.ana.visit("/items").in("#list").follow("link", "CoreVM1").in("main").sees("In service").click("link", "Deployed item").sees("10.20.0.11", "9007199254740993")
	s.ana.visit("/submissions").in("#list").follow("link", "#1").in("main").sees("1 of 2")
}

// decide presses the button of the row of a change.
func (b *tab) decide(kind, item, button, state string) {
	b.t.Helper()
	row := b.row(kind, item)
	b.in("#"+row).click("button", button).in("main").until(item+" is "+state, `document.getElementById("`+row+`")?.dataset.state === "`+strings.ToUpper(state)+`"`)
}

// row finds the newest open change of an item in the queue.
func (b *tab) row(kind, item string) (id string) {
	b.t.Helper()
	for _, r := range b.visit("/queue?state=any&type=" + kind + "&q=" + item).rows() {
		id = r.ID
	}
	if id == "" {
		b.t.Fatalf("no %s of %s is in the queue\n%s", kind, item, b.snapshot())
	}
	return id
}

func (b *tab) openChange(kind, item string) *tab {
	b.t.Helper()
	return b.visit("/changes/" + strings.TrimPrefix(b.row(kind, item), "change-"))
}

// reference: a load balancer that names a machine is woken when that changes,
// and a dependent team gets its copy from now on.
func (s *story) reference() {
	s.bo.own("VM", "Dependent teams").fill("Name of a team", "NPOwnerTeam").follow("button", "Add").in("#list").sees("NPOwnerTeam")
	s.nina.visit("/queue").seesNot("CoreVM1")
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1Wider+","+vm2, lb1OfVM1)).plans("MODIFY CoreLB1 → LBOwnerTeam, starts Pending, direct").submit()
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1+","+vm2, lb1OfVM1)).plans(
		"MODIFY CoreVM1 → VMOwnerTeam, starts Pending, direct",
		"MODIFY CoreVM1 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam",
		"MODIFY CoreLB1 → LBOwnerTeam, starts Pending, ↪ referenced: CoreVM1")
	s.ana.submit()
	s.lea.openChange("MODIFY", "CoreLB1").sees("↪ referenced: CoreVM1")
	s.nina.openChange("MODIFY", "CoreVM1").sees("dependent")
}

// deletion: a machine that is named cannot go; another goes once its name is typed.
func (s *story) deletion() {
	s.ana.expect(422).visit("/declare?application=NewApp1").declare(document(vm2, lb1OfVM1)).in("#problems-box").sees("CoreVM1", "CoreLB1")
	s.ana.visit("/declare?application=NewApp1").declare(document(vm1, lb1OfVM1)).plans(
		"DELETE CoreVM2 → VMOwnerTeam, starts Pending, direct",
		"DELETE CoreVM2 → NPOwnerTeam, starts Pending, ⚭ dependent: NPOwnerTeam")
	s.ana.typeDeletion("corevm2").send("Submit").sees("exactly as it is written")
	s.ana.typeDeletion("CoreVM2").submit()
	s.bo.openChange("DELETE", "CoreVM2").send("Approve").in("#timeline").sees("Approved")
	s.ana.visit("/items?runtime_state=any&q=CoreVM2").in("#list").sees("CoreVM2", "Decommissioned")
}

// twoPeople: of two who decide one change at once the second sees who was first.
func (s *story) twoPeople() {
	s.bo.openChange("MODIFY", "CoreVM1")
	s.ben.expect(409).visit(s.bo.path())
	s.ben.send("Approve").in("#timeline").sees("ben")
	s.bo.expect(409).fill("Log", "no capacity").send("Reject").sees("ben moved this to Approved")
	if log := s.bo.value("Log"); log != "no capacity" {
		s.t.Errorf("the log that was typed is now %q", log)
	}
}
