package market

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// previewLife is how long a stored preview can be submitted (lifecycle T2).
const previewLife = 24 * time.Hour

// previewMemory is how long an expired preview is remembered as such.
const previewMemory = 7 * 24 * time.Hour

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
	err = m.write(ctx, who, func(tx *gorm.DB) error { return keepPreview(tx, who, stored, p.plan.Summary().Text) })
	return stored, p.plan, err
}

// keepPreview stores a preview and drops what it takes the place of. One that
// is made at each pause of somebody's typing is no entry of the audit log: it
// does nothing and goes by itself.
func keepPreview(tx *gorm.DB, who Actor, stored models.Preview, summary string) error {
	if err := tx.Create(&stored).Error; err != nil {
		return err
	}
	if err := models.TrimPreviews(tx, stored.TeamID, stored.CreatedBy, stored.Created.Add(-previewMemory)); err != nil {
		return err
	}
	if stored.Live {
		return nil
	}
	return record(tx, who, "preview.create", "preview "+stored.ID, summary)
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
		SchemaVersions: string(schemas), Plan: string(plan), Live: p.proposal.Live, Created: at, Expires: expires,
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
	var shown engine.PlanView
	if err := json.Unmarshal([]byte(stored.Plan), &shown); err != nil {
		return planned{}, err
	}
	fresh, err := m.plan(tx, team, proposal, true)
	if fault.Is(err, fault.Invalid) {
		return planned{}, m.refused(tx, stored, team, shown)
	}
	if err != nil {
		return planned{}, err
	}
	if items := staleItems(shown, fresh.view()); items != nil {
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
