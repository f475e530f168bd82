package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// person is somebody of the demo, with what the person is worth looking at.
type person struct {
	name, tip string
	teams     []membership
	platform  bool
}

type membership struct {
	team string
	role models.Role
}

// says tells what a person is: "ADMIN of VMOwnerTeam".
func (p person) says() string {
	var parts []string
	for _, m := range p.teams {
		parts = append(parts, fmt.Sprintf("%s of %s", m.role, m.team))
	}
	if p.platform {
		parts = append(parts, "platform admin")
	}
	return strings.Join(parts, ", ")
}

var people = []person{
	{name: "ana", teams: []membership{{"AwesomeConsumer", models.General}, {"AwesomeConsumer2", models.General}}, tip: "declares and submits"},
	{name: "abe", teams: []membership{{"AwesomeConsumer", models.Admin}}, tip: "looks after the team and its keys"},
	{name: "cy", teams: []membership{{"AwesomeConsumer", models.ReadOnly}}, tip: "may only look"},
	{name: "bea", teams: []membership{{"AwesomeConsumer2", models.Admin}}, tip: "has references between items"},
	{name: "tim", teams: []membership{{"TeamBlue", models.Admin}}, tip: "has nothing yet"},
	{name: "bo", teams: []membership{{"VMOwnerTeam", models.Admin}}, tip: "owns VM and empties a queue"},
	{name: "lea", teams: []membership{{"LBOwnerTeam", models.Admin}}, tip: "owns LoadBalancer"},
	{name: "nina", teams: []membership{{"NPOwnerTeam", models.Admin}}, tip: "gets a copy of each VM change"},
	{name: "dee", platform: true, tip: "makes users and teams"},
}

//go:embed demo/vm.json
var vmSchema []byte

//go:embed demo/loadbalancer.json
var loadBalancerSchema []byte

//go:embed demo/vm.md
var vmReadme string

//go:embed demo/loadbalancer.md
var loadBalancerReadme string

// story plays the demo's world, one step after the other; the first error ends it.
type story struct {
	ctx   context.Context
	m     *market.Market
	teams map[string]models.Team
	users map[string]models.User
	err   error
}

// playStory fills an empty portal with the teams, services and people of the
// worked examples and plays their tables 1 to 8, some changes processed.
func playStory(ctx context.Context, m *market.Market, password string) ([]person, error) {
	s := &story{ctx: ctx, m: m, teams: map[string]models.Team{}, users: map[string]models.User{}}
	s.people(password)
	s.services()
	s.first()
	s.second()
	return people, s.err
}

// do takes a step unless one before has failed.
func (s *story) do(step func() error) {
	if s.err == nil {
		s.err = step()
	}
}

func (s *story) people(password string) {
	for _, p := range people {
		s.do(func() (err error) {
			s.users[p.name], err = s.m.CreateUser(s.ctx, market.Console(), p.name, password, p.platform)
			return err
		})
	}
	s.members()
}

// members makes each team with its admin as the first member, then adds the others.
func (s *story) members() {
	for _, admins := range []bool{true, false} {
		for _, p := range people {
			for _, m := range p.teams {
				if (m.role == models.Admin) == admins {
					s.do(func() error { return s.join(p.name, m) })
				}
			}
		}
	}
}

// join makes a user a member of a team, and the team if it is not there yet.
func (s *story) join(user string, m membership) error {
	id := s.users[user].ID
	if team, there := s.teams[m.team]; there {
		_, err := s.m.AddMember(s.ctx, s.admin(team), market.Person{ID: id}, m.role)
		return err
	}
	team, err := s.m.CreateTeam(s.ctx, market.Console(), m.team, &id)
	s.teams[m.team] = team
	return err
}

// admin acts for a team as its admin.
func (s *story) admin(team models.Team) market.Actor {
	for _, p := range people {
		for _, m := range p.teams {
			if m.team == team.Name && m.role == models.Admin {
				return s.as(p.name, team.Name, models.Admin)
			}
		}
	}
	return market.Actor{}
}

func (s *story) as(user, team string, role models.Role) market.Actor {
	return market.Actor{UserID: s.users[user].ID, UserName: user, TeamID: s.teams[team].ID, TeamName: team, Role: role, Via: "portal"}
}

func (s *story) services() {
	np := func() []int64 { return []int64{s.teams["NPOwnerTeam"].ID} }
	s.do(func() error {
		return s.publish("bo", "VMOwnerTeam", vmSchema, vmReadme, []string{"compute"}, np())
	})
	s.do(func() error {
		return s.publish("lea", "LBOwnerTeam", loadBalancerSchema, loadBalancerReadme, []string{"network"}, nil)
	})
}

func (s *story) publish(user, team string, schema []byte, readme string, tags []string, dependants []int64) error {
	who := s.as(user, team, models.Admin)
	published, err := s.m.Publish(s.ctx, who, schema, false)
	if err != nil {
		return err
	}
	patch := market.ServicePatch{Readme: &readme, Tags: &tags}
	if dependants != nil {
		patch.DependantTeams = &dependants
	}
	_, err = s.m.ChangeService(s.ctx, who, published.Service.ID, patch)
	return err
}

// first is the story of tables 1 to 5: AwesomeConsumer orders, changes and deletes.
func (s *story) first() {
	ana := func() market.Actor { return s.as("ana", "AwesomeConsumer", models.General) }
	const vm1, vm2 = `{"name":"CoreVM1","cpu":8,"memory":2}`, `{"name":"CoreVM2","cpu":16,"memory":4}`
	s.submit(ana, "Two machines to begin with", `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[`+vm1+`,`+vm2+`]}}}}`)
	s.move("bo", "VMOwnerTeam", "CoreVM1", engine.Approved, "", "")
	s.move("bo", "VMOwnerTeam", "CoreVM1", engine.Completed, "Running in rack 12", `{"ip":"10.20.0.11","hostname":"corevm1.example.org","datacentre":"north"}`)
	s.move("bo", "VMOwnerTeam", "CoreVM2", engine.Approved, "", "")
	s.submit(ana, "A load balancer in front", `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[`+vm1+`,`+vm2+`],"LoadBalancer":[{"name":"CoreLB1","algorithm":"RoundRobin"}]}}}}`)
	s.move("lea", "LBOwnerTeam", "CoreLB1", engine.Approved, "", "")
	s.move("lea", "LBOwnerTeam", "CoreLB1", engine.Completed, "", `{"vip":"203.0.113.10","port":443}`)
	s.submit(ana, "More room for CoreVM1", `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8},`+vm2+`],"LoadBalancer":[{"name":"CoreLB1","algorithm":"RoundRobin"}]}}}}`)
	s.move("nina", "NPOwnerTeam", "CoreVM1", engine.Approved, "Addresses are reserved", "")
	s.submit(ana, "Busier than we thought", `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8},{"name":"CoreVM2","cpu":8,"memory":16}],"LoadBalancer":[{"name":"CoreLB1","algorithm":"LeastConnections"}]}}}}`)
	s.move("lea", "LBOwnerTeam", "CoreLB1", engine.Rejected, "LeastConnections is not available before the upgrade in March", "")
	s.submit(ana, "The second machine goes", `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8}]}}}}`)
}

// second is the story of tables 6 and 7: AwesomeConsumer2 has a load balancer
// that names its machines, so that a change of a machine wakes it.
func (s *story) second() {
	bea := func() market.Actor { return s.as("bea", "AwesomeConsumer2", models.Admin) }
	const rest = `{"name":"CoreVM2","cpu":8,"memory":16}],"LoadBalancer":[{"name":"CoreLB1","related_vms":["CoreVM1","CoreVM2"],"algorithm":"LeastConnections"}]}}}}`
	s.submit(bea, "", `{"AwesomeConsumer2":{"NewApp1":{"metadata":{"cost_centre":"4711"},"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8},`+rest)
	s.move("lea", "LBOwnerTeam", "CoreLB1", engine.Approved, "", "")
	s.move("lea", "LBOwnerTeam", "CoreLB1", engine.Errored, "The balancer's licence has run out; asked for a new one", "")
	s.submit(bea, "Twice the memory", `{"AwesomeConsumer2":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":16},`+rest)
}

func (s *story) submit(who func() market.Actor, comment, document string) {
	s.do(func() error {
		_, err := s.m.Submit(s.ctx, who(), market.Proposal{Text: []byte(document), Comment: comment})
		return err
	})
}

// move takes the newest change of an item that waits for a team to a state.
func (s *story) move(user, team, item string, state engine.State, log, deployed string) {
	s.do(func() error {
		who := s.as(user, team, models.Admin)
		changes, _, err := s.m.Changes(s.ctx, who, market.AsServiceOwner, models.ChangeQuery{Search: item, Page: models.Page{Limit: 1}})
		if err != nil || len(changes) == 0 {
			return errors.Join(fmt.Errorf("no change of %s waits for %s", item, team), err)
		}
		move := market.Move{State: state}
		if log != "" {
			move.Log = &log
		}
		if deployed != "" {
			move.DeployedItem = []byte(deployed)
		}
		_, err = s.m.MoveChange(s.ctx, who, changes[0].ID, move)
		return err
	})
}
