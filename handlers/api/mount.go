// Package api is the programs' mouth: each handler reads a request, calls one
// use case of market and writes the result in the shape that NetOrca's clients
// know. The OpenAPI document comes from the same table as the routes.
package api

import (
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/web"
)

// API answers programs.
type API struct {
	Market  *market.Market
	BaseURL string // where people and programs reach the portal
	Styles  string // the address of the style sheet, for the readable page
}

// The roles that routes ask for; the market asks again.
const (
	known    = web.None // whoever shows a key or a token
	reading  = "READ_ONLY"
	writing  = "GENERAL"
	managing = "ADMIN"
	platform = web.Platform
)

// routes lists every route; this is the whole of the API at a glance.
func (a API) routes() []route {
	return slices.Concat(a.accountRoutes(), a.sideRoutes(market.AsConsumer), a.sideRoutes(market.AsServiceOwner), a.ownerRoutes(), a.consumerRoutes(), a.documentRoutes())
}

// accountRoutes are about teams, their members and their keys.
func (a API) accountRoutes() []route {
	const teams, members, memberships = "/v1/account/teams", "/v1/account/team/memberships", "/v1/account/user/memberships"
	return []route{
		post("/v1/api-token-auth", a.issueToken, "Get a user's token for a password.").forStrangers().takes(Credentials{}).answers(200, Token{}),
		post("/api-token-auth", a.issueToken, "Get a user's token for a password.").forStrangers().takes(Credentials{}).answers(200, Token{}),

		get(teams, a.listTeams, "List my teams, the active one first.").as(known, "market.Teams").filters().answers(200, Page[Team]{}),
		post(teams, a.createTeam, "Make a team.").as(platform, web.None).takes(NewTeam{}).answers(201, Team{}),
		get(teams+"/all_teams", a.listAllTeams, "List every team by name.").as(known, "market.AllTeams").filters(allTeamFilters...).answers(200, Page[NamedTeam]{}),
		get(teams+"/:id", a.readTeam, "Read a team of mine.").as(known, "market.Team").answers(200, Team{}),
		patch(teams+"/:id", a.changeTeam, "Change a team's settings.").as(known, "market.ChangeTeam").takes(TeamSettings{}).answers(200, Team{}),
		get(teams+"/:id/api_keys", a.listAPIKeys, "List a team's API keys.").as(known, "market.APIKeys").filters().answers(200, Page[APIKey]{}),
		post(teams+"/:id/api_keys", a.createAPIKey, "Make an API key; it is shown in this answer only.").as(known, "market.CreateAPIKey").takes(NewAPIKey{}).answers(201, FreshAPIKey{}),
		remove(teams+"/:id/api_keys/:key", a.revokeAPIKey, "Revoke an API key at once.").as(known, "market.RevokeAPIKey"),

		get(members, a.listMembers, "List the members of the active team.").as(reading, "market.Members").filters().answers(200, Page[Membership]{}),
		post(members, a.addMember, "Make a user a member of the active team.").as(managing, web.None).takes(NewMembership{}).answers(201, Membership{}),
		patch(members+"/:id", a.changeMember, "Give a member another role.").as(managing, "market.ChangeMember").takes(NewRole{}).answers(200, Membership{}),
		remove(members+"/:id", a.removeMember, "Take a member out of the active team.").as(managing, "market.RemoveMember"),

		get(memberships, a.listMemberships, "List my memberships.").as(known, "market.Memberships").filters().answers(200, Page[Membership]{}),
		post(memberships+"/:id/activate", a.activateMembership, "Act for the team of this membership from now on.").as(known, "market.ActivateMembership").answers(200, Message{}),
		get(memberships+"/:id/activate", a.activateMembership, "The same, for clients that send GET.").as(known, "market.ActivateMembership").answers(200, Message{}),
	}
}

// sideRoutes are what both sides read: the same objects as what my team
// declared, or as what is routed to it.
func (a API) sideRoutes(pov market.Pov) []route {
	at := "/v1/orcabase/" + string(pov)
	services, items, changes, deployed, applications := at+"/services", at+"/service_items", at+"/change_instances", at+"/deployed_items", at+"/applications"
	return []route{
		get(services, a.listServices(pov, false), "List services.").as(reading, "market.Services").filters(serviceFilters...).answers(200, Page[Service]{}),
		get(services+"/tags", a.listTags(pov), "List the tags of services.").as(reading, "market.Services").filters().answers(200, Page[string]{}),
		get(services+"/dependant", a.listServices(pov, true), "List services that send my team copies of their changes.").as(reading, "market.Services").filters(serviceFilters...).answers(200, Page[Service]{}),
		get(services+"/:id", a.readService(pov), "Read a service.").as(reading, "market.Service").answers(200, Service{}),
		get(services+"/:id/versions", a.listVersions(pov), "List the versions of a service's schema.").as(reading, "market.SchemaVersions").filters().answers(200, Page[SchemaVersion]{}),
		get(services+"/:id/versions/:n", a.readVersion(pov), "Read a version of a service's schema.").as(reading, "market.SchemaVersions").answers(200, SchemaVersion{}),

		get(items, a.listItems(pov, pov), "List service items.").as(reading, "market.ServiceItems").filters(serviceItemFilters...).answers(200, Page[ServiceItem]{}),
		get(items+"/dependant", a.listItems(pov, market.AsDependant), "List service items whose changes my team gets copies of.").as(reading, "market.ServiceItems").filters(serviceItemFilters...).answers(200, Page[ServiceItem]{}),
		get(items+"/:id", a.readItem(pov), "Read a service item.").as(reading, "market.ServiceItem").answers(200, ServiceItem{}),

		get(changes, a.listChanges(pov), "List change instances.").as(reading, "market.Changes").filters(changeFilters...).answers(200, Page[ChangeInstance]{}),
		get(changes+"/dependant", a.listChanges(pov, engine.Dependent), "List the copies for dependent teams.").as(reading, "market.Changes").filters(changeFilters...).answers(200, Page[ChangeInstance]{}),
		get(changes+"/referenced", a.listChanges(pov, engine.Referenced), "List changes that another item's change woke.").as(reading, "market.Changes").filters(changeFilters...).answers(200, Page[ChangeInstance]{}),
		get(changes+"/:id", a.readChange(pov), "Read a change instance.").as(reading, "market.Change").answers(200, ChangeInstance{}),
		get(changes+"/:id/history", a.historyOf(pov), "Read the history of a change instance, newest first.").as(reading, "market.History").answers(200, []Step{}),
		post(changes+"/:id/retry", a.retryChange(pov), "Ask again for a change that went wrong.").as(writing, "market.Retry").answers(201, ChangeInstance{}),

		get(deployed, a.listDeployed(pov, pov), "List all versions of deployed items.").as(reading, "market.DeployedItems").filters(deployedItemFilters...).answers(200, Page[DeployedItem]{}),
		get(deployed+"/dependant", a.listDeployed(pov, market.AsDependant), "List deployed items of items whose changes my team gets copies of.").as(reading, "market.DeployedItems").filters(deployedItemFilters...).answers(200, Page[DeployedItem]{}),
		get(deployed+"/:id", a.readDeployed(pov), "Read a version of a deployed item.").as(reading, "market.DeployedItem").answers(200, DeployedItem{}),

		get(applications, a.listApplications(pov), "List applications; decommissioned ones only if asked for.").as(reading, "market.SeenApplications").filters(applicationFilters...).answers(200, Page[Application]{}),
		get(applications+"/:id", a.readApplication(pov), "Read an application.").as(reading, "market.SeenApplication").answers(200, Application{}),

		post(at+"/submissions/validate", a.validateSubmission, "Say what a declaration would do, and store nothing.").as(reading, web.None).declares().answers(200, market.Verdict{}),
		patch(at+"/submissions/validate", a.validateSubmission, "The same for a partial declaration.").as(reading, web.None).declares().answers(200, market.Verdict{}),
		post(at+"/submissions/submit", a.submit, "Declare the end state of the team, or of some applications.").as(writing, web.None).declares().answers(201, SubmissionAnswer{}).answers(200, Message{}),
		patch(at+"/submissions/submit", a.submit, "Add and change the items that are named, and delete none.").as(writing, web.None).declares().answers(201, SubmissionAnswer{}).answers(200, Message{}),
	}
}

// ownerRoutes are what service owners do.
func (a API) ownerRoutes() []route {
	const services, changes = "/v1/orcabase/serviceowner/services", "/v1/orcabase/serviceowner/change_instances"
	return []route{
		post(services, a.publishService, "Publish a service, or a new version of it.").as(managing, web.None).takesSchema().answers(201, Service{}).answers(200, Service{}),
		post(services+"/validate", a.validateService, "Say whether a schema would be accepted, and what it would change.").as(reading, web.None).takesSchema().filtersOnly("dry_run").answers(200, SchemaVerdict{}),
		patch(services+"/:id", a.changeService, "Change a service's settings.").as(managing, "market.ChangeService").takes(ServiceSettings{}).answers(200, Service{}),
		put(services+"/:id", a.changeService, "The same as PATCH.").as(managing, "market.ChangeService").takes(ServiceSettings{}).answers(200, Service{}),

		post(changes+"/bulk", a.moveChanges, "Move many change instances; each succeeds or fails on its own.").as(writing, "market.MoveChanges").takes(Bulk{}).answers(200, BulkAnswer{}),
		patch(changes+"/:id", a.moveChange, "Report on a change instance.").as(writing, "market.MoveChange").takes(NewState{}).answers(200, ChangeInstance{}),
		put(changes+"/:id", a.moveChange, "The same as PATCH.").as(writing, "market.MoveChange").takes(NewState{}).answers(200, ChangeInstance{}),
		post(changes+"/:id", a.moveChange, "The same as PATCH.").as(writing, "market.MoveChange").takes(NewState{}).answers(200, ChangeInstance{}),

		post("/v1/orcabase/serviceowner/deployed_items", a.deploy, "Attach a deployed item to a service item.").as(writing, "market.Deploy").takes(NewDeployedItem{}).answers(201, DeployedItem{}).answers(200, DeployedItem{}),
	}
}

// consumerRoutes are what consumers do.
func (a API) consumerRoutes() []route {
	const at = "/v1/orcabase/consumer"
	return []route{
		get(at+"/submissions", a.listSubmissions, "List my team's submissions.").as(reading, "market.Submissions").filters(submissionFilters...).answers(200, Page[Submission]{}),
		get(at+"/submissions/:id", a.readSubmission, "Read a submission with its text and its changes.").as(reading, "market.Submission").answers(200, SubmissionDetail{}),
		post(at+"/previews", a.createPreview, "Store what a declaration would do, so that exactly this can be submitted.").as(writing, web.None).declares().answers(201, engine.PlanView{}),
		patch(at+"/previews", a.createPreview, "The same for a partial declaration.").as(writing, web.None).declares().answers(201, engine.PlanView{}),
		get(at+"/previews/:id", a.readPreview, "Read a stored preview.").as(reading, "market.StoredPreview").answers(200, engine.PlanView{}),
		get(at+"/declaration", a.readDeclaration, "Read what my team declares now, ready to be submitted again.").as(reading, "market.Declaration").filtersOnly(declarationQuery...).answers(200, map[string]any{}),
		post(at+"/change_instances/:id/withdraw", a.withdrawChange, "Take back a change that is still pending.").as(writing, "market.Withdraw").takes(Reason{}).answers(200, ChangeInstance{}),
	}
}

// documentRoutes describe the API itself.
func (a API) documentRoutes() []route {
	return []route{
		get("/v1/openapi.json", a.readDocument(), "Read this document.").forStrangers().answers(200, map[string]any{}),
		get("/docs/api", a.readablePage(), "Read this document as a page.").forStrangers().answers(200, nil),
	}
}
