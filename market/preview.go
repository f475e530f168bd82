package market

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// previewLife is how long a stored preview can be submitted (lifecycle T2).
const previewLife = 24 * time.Hour

// Preview stores what Submit would do, so that exactly this can be submitted
// (lifecycle T2). It writes no item and no change.
func (m *Market) Preview(ctx context.Context, who Actor, proposal Proposal) (models.Preview, engine.Plan, error) {
	var stored models.Preview
	if err := who.mustWrite(); err != nil {
		return stored, engine.Plan{}, err
	}
	p, err := m.planIn(ctx, who, proposal)
	if err != nil {
		return stored, engine.Plan{}, err
	}
	if stored, err = p.preview(who); err != nil {
		return stored, engine.Plan{}, err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) error { return tx.Create(&stored).Error })
	return stored, p.plan, err
}

// preview is the plan as it is stored.
func (p *planned) preview(who Actor) (models.Preview, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return models.Preview{}, err
	}
	at := models.Now()
	expires, name := at.Add(previewLife), id.String()
	view := p.view()
	view.PreviewID, view.ExpiresAt = &name, &expires
	plan, err := json.Marshal(view)
	if err != nil {
		return models.Preview{}, err
	}
	schemas, err := json.Marshal(p.plan.Schemas)
	return models.Preview{
		ID: name, TeamID: p.team.ID, CreatedBy: who.Name(), Text: p.proposal.Text, Yaml: p.proposal.YAML, Partial: p.proposal.Partial,
		Applications: applicationList(p.proposal.Applications), BaseVersion: p.team.DeclarationVersion,
		SchemaVersions: string(schemas), Plan: string(plan), Created: at, Expires: expires,
	}, err
}

// StoredPreview reads a preview of the actor's team (lifecycle T4).
func (m *Market) StoredPreview(ctx context.Context, who Actor, id string) (models.Preview, error) {
	stored, err := models.PreviewByID(m.read(ctx), who.TeamID, id)
	if err == nil && stored.Expires.Before(models.Now()) {
		return stored, fault.New(fault.Gone, "This preview expired at %s. Make a new one.", stored.Expires.Format(time.RFC3339))
	}
	return stored, err
}

// Stale says why a preview can no longer be submitted (lifecycle T6).
type Stale struct {
	BaseVersion    int64       `json:"base_version"`
	CurrentVersion int64       `json:"current_version"`
	Items          []StaleItem `json:"items"`
}

// StaleItem is one item that is not as it was when the preview was made.
type StaleItem struct {
	Application string `json:"application"`
	Service     string `json:"service"`
	Name        string `json:"name"`
	Why         string `json:"why"` // declared, schema, open_change or plan
}

// planPreviewed plans the document of a stored preview anew under the lock and
// refuses it unless the plan is the very one that was shown.
func (m *Market) planPreviewed(tx *gorm.DB, team models.Team, proposal Proposal) (planned, error) {
	stored, err := models.PreviewByID(tx, team.ID, proposal.Preview)
	if fault.Is(err, fault.NotFound) {
		return planned{}, fault.Field("preview", "There is no such preview. Make a new one.")
	}
	if err != nil {
		return planned{}, err
	}
	if stored.Expires.Before(models.Now()) {
		return planned{}, fault.New(fault.Gone, "This preview has expired. Make a new one.")
	}
	if proposal, err = proposal.asPreviewed(stored); err != nil {
		return planned{}, err
	}
	if stored.BaseVersion != team.DeclarationVersion {
		return planned{}, stale(stored, team, allOf(stored.Plan, "declared"))
	}
	fresh, err := m.plan(tx, team, proposal, true)
	if refusal := fault.Of(err); refusal != nil && refusal.Kind == fault.Invalid {
		return planned{}, stale(stored, team, allOf(stored.Plan, "schema"))
	}
	if err != nil {
		return planned{}, err
	}
	if items := moved(stored, &fresh); items != nil {
		return planned{}, stale(stored, team, items)
	}
	return fresh, nil
}

// asPreviewed is the proposal of a stored preview; what comes along may not contradict it (lifecycle T5).
func (p Proposal) asPreviewed(stored models.Preview) (Proposal, error) {
	if len(bytes.TrimSpace(p.Text)) > 0 && !bytes.Equal(p.Text, stored.Text) {
		return p, fault.Field("preview", "The body is another document than the one that was previewed. Send none, or preview again.")
	}
	if p.Partial || p.Applications != nil {
		return p, fault.Field("preview", "A preview is submitted as it was made: leave \"application\" and PATCH out.")
	}
	p.Text, p.YAML, p.Partial = stored.Text, stored.Yaml, stored.Partial
	if stored.Applications != "" {
		return p, json.Unmarshal([]byte(stored.Applications), &p.Applications)
	}
	return p, nil
}

// moved lists what differs between a stored plan and the one made now, nil if nothing does.
func moved(stored models.Preview, fresh *planned) []StaleItem {
	var before engine.PlanView
	if err := json.Unmarshal([]byte(stored.Plan), &before); err != nil {
		return []StaleItem{}
	}
	now := fresh.view()
	items := []StaleItem{}
	for name, version := range now.SchemaVersions {
		if before.SchemaVersions[name] != version {
			items = append(items, StaleItem{Service: name, Why: "schema"})
		}
	}
	slices.SortFunc(items, func(a, b StaleItem) int { return bytes.Compare([]byte(a.Service), []byte(b.Service)) })
	for i := range max(len(before.Changes), len(now.Changes)) {
		if item, differs := differs(before.Changes, now.Changes, i); differs {
			items = append(items, item)
		}
	}
	if len(items) == 0 && fmt.Sprint(before.Withdrawn, before.Superseded) == fmt.Sprint(now.Withdrawn, now.Superseded) {
		return nil
	}
	return items
}

// differs compares one change of two plans by the bytes that were shown.
func differs(before, now []engine.ChangeView, i int) (StaleItem, bool) {
	switch {
	case i >= len(now):
		return staleItem(before[i], "plan"), true
	case i >= len(before):
		return staleItem(now[i], "plan"), true
	}
	a, _ := json.Marshal(before[i])
	b, _ := json.Marshal(now[i])
	if bytes.Equal(a, b) {
		return StaleItem{}, false
	}
	if fmt.Sprint(deref(before[i].OpenChange)) != fmt.Sprint(deref(now[i].OpenChange)) {
		return staleItem(now[i], "open_change"), true
	}
	return staleItem(now[i], "plan"), true
}

func deref(id *int64) int64 {
	if id == nil {
		return 0
	}
	return *id
}

func staleItem(c engine.ChangeView, why string) StaleItem {
	return StaleItem{Application: c.Application, Service: c.Service, Name: c.Name, Why: why}
}

// allOf lists every item of a stored plan with one reason.
func allOf(plan, why string) []StaleItem {
	var view engine.PlanView
	items := []StaleItem{}
	if json.Unmarshal([]byte(plan), &view) != nil {
		return items
	}
	for _, change := range view.Changes {
		if !change.IsDependant {
			items = append(items, staleItem(change, why))
		}
	}
	return items
}

func stale(stored models.Preview, team models.Team, items []StaleItem) error {
	return &fault.Error{
		Kind: fault.Conflict, Code: "stale_preview",
		Text:   "What was declared has moved since this preview was made, so it no longer shows what would happen. Preview again.",
		Detail: Stale{BaseVersion: stored.BaseVersion, CurrentVersion: team.DeclarationVersion, Items: items},
	}
}
