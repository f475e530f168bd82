package market

import (
	"fmt"
	"slices"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// systemName is who acts when nobody does (marketplace C7).
const systemName = "SYSTEM"

// carrier carries a plan out within one transaction, in a constant number of
// statements per thousand rows.
type carrier struct {
	tx           *gorm.DB
	who          Actor
	plan         *engine.Plan
	at           time.Time
	submission   *models.Submission
	applications map[string]int64 // by name
	itemIDs      []int64          // of each change's item, in the order of the plan
	changeIDs    []int64          // of each change, in the order of the plan
	written      []models.ChangeInstance
}

// carryOut writes a submission and everything that follows from its plan.
func carryOut(tx *gorm.DB, who Actor, p planned, outcome *Outcome) error {
	c := &carrier{tx: tx, who: who, plan: &p.plan, at: models.Now(), submission: &outcome.Submission}
	for _, step := range []func() error{
		c.lockItems,
		func() error { return c.writeSubmission(p) },
		c.writeApplications,
		c.number,
		c.takeBack,
		c.writeNewItems,
		c.writeChanges,
		c.writeHistory,
		c.writeCauses,
		c.moveItems,
		func() error { return c.writeTeam(p.team) },
		c.tell,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	outcome.Changes, outcome.ChangeIDs, outcome.Superseded = c.written, c.changeIDs, c.superseded()
	return nil
}

// lockItems holds the existing items that change, so that owners who move
// changes of them meanwhile wait (trust D3). If one was faster, so that an item
// does not stand as it was planned upon, the plan is made again.
func (c *carrier) lockItems() error {
	held, err := models.HoldServiceItems(c.tx, c.existingItems())
	if err != nil {
		return err
	}
	planned := map[int64]int64{}
	for i := range c.plan.Changes {
		planned[c.plan.Changes[i].ItemID] = c.plan.Changes[i].BaseChange
	}
	for _, item := range held {
		base, changes := planned[item.ID]
		if item.RuntimeState == engine.Decommissioned || changes && base != item.Base() {
			return errMoved
		}
	}
	return nil
}

func (c *carrier) existingItems() []int64 {
	var ids []int64
	for i := range c.plan.Changes {
		if id := c.plan.Changes[i].ItemID; id != 0 {
			ids = append(ids, id)
		}
	}
	for _, w := range c.plan.Withdrawals {
		ids = append(ids, w.ItemID)
	}
	for _, s := range c.plan.Supersessions {
		ids = append(ids, s.ItemID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (c *carrier) writeSubmission(p planned) error {
	s := c.plan.Summary()
	*c.submission = models.Submission{
		TeamID: p.team.ID, SubmittedBy: c.who.Name(), Via: c.who.Via, CommitID: p.proposal.CommitID, Comment: p.proposal.Comment,
		Yaml: p.proposal.YAML, Partial: p.proposal.Partial, Applications: applicationList(p.proposal.Applications),
		ConfirmedDeletes: s.Destroy, DeclarationVersion: p.team.DeclarationVersion,
		Creates: s.Add, Modifies: s.Change, Deletes: s.Destroy, Referenced: s.Referenced, Dependent: s.Dependent, Withdrawn: s.Withdrawn,
		Created: c.at,
	}
	if c.who.UserID != 0 {
		c.submission.UserID = &c.who.UserID
	}
	if p.proposal.Preview != "" {
		c.submission.PreviewID = &p.proposal.Preview
	}
	if !c.plan.Empty() {
		c.submission.DeclarationVersion++
	}
	if err := c.tx.Create(c.submission).Error; err != nil {
		return err
	}
	return c.tx.Create(&models.SubmissionText{SubmissionID: c.submission.ID, Text: p.proposal.Text}).Error
}

// writeApplications makes the applications that appear, and keeps metadata that changed.
func (c *carrier) writeApplications() error {
	team := c.submission.TeamID
	known, err := models.ApplicationsOf(c.tx, team)
	if err != nil {
		return err
	}
	c.applications = map[string]int64{}
	for _, application := range known {
		c.applications[application.Name] = application.ID
	}
	var fresh []models.Application
	var altered []int64
	var metadatas []string
	for _, name := range c.applicationNames() {
		metadata, changed := c.plan.Applications[name]
		switch id, there := c.applications[name]; {
		case !there:
			if !changed {
				metadata = "{}"
			}
			fresh = append(fresh, models.Application{TeamID: team, Name: name, Metadata: metadata, Created: c.at, Modified: c.at})
		case changed:
			altered, metadatas = append(altered, id), append(metadatas, metadata)
		}
	}
	if err := models.ChangeMetadata(c.tx, altered, metadatas); err != nil {
		return err
	}
	if len(fresh) == 0 {
		return nil
	}
	err = c.tx.CreateInBatches(&fresh, 1000).Error
	for _, application := range fresh {
		c.applications[application.Name] = application.ID
	}
	return err
}

// applicationNames lists the applications that the plan touches, each once, in its order.
func (c *carrier) applicationNames() []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for i := range c.plan.Changes {
		add(c.plan.Changes[i].Key.Application)
	}
	rest := len(names)
	for name := range c.plan.Applications {
		add(name)
	}
	slices.Sort(names[rest:])
	return names
}

// moveItems brings the items that were there before into line with their new changes.
func (c *carrier) moveItems() error {
	var raised []int64
	var versions []int
	next := map[engine.RuntimeState][]int64{}
	for i := range c.plan.Changes {
		change := &c.plan.Changes[i]
		if change.ItemID == 0 || change.Dependent() {
			continue
		}
		if change.New != nil && len(change.Causes) == 0 {
			raised, versions = append(raised, change.ItemID), append(versions, change.New.Number)
		}
		if change.State == engine.Approved && change.Type != engine.Modify {
			state := engine.RuntimeAfter(change.Type)
			next[state] = append(next[state], change.ItemID)
		}
	}
	for _, s := range c.plan.Supersessions {
		if s.Decommission {
			next[engine.Decommissioned] = append(next[engine.Decommissioned], s.ItemID)
		}
	}
	if err := models.RaiseVersions(c.tx, raised, versions); err != nil {
		return err
	}
	for state, items := range next {
		if err := models.MoveItems(c.tx, items, state); err != nil {
			return err
		}
	}
	return models.Refresh(c.tx, c.existingItems())
}

// writeTeam keeps the team's metadata and counts its declaration up (lifecycle T1).
func (c *carrier) writeTeam(team models.Team) error {
	if c.plan.Empty() {
		return nil
	}
	set := map[string]any{"declaration_version": team.DeclarationVersion + 1, "modified": c.at}
	if c.plan.Metadata != nil {
		set["metadata"] = *c.plan.Metadata
	}
	return c.tx.Model(&models.Team{}).Where("id = ?", team.ID).Updates(set).Error
}

// tell leaves the audit entry, and the news for everybody who has work now.
func (c *carrier) tell() error {
	teams := []int64{c.submission.TeamID}
	for i := range c.plan.Changes {
		teams = append(teams, c.plan.Changes[i].Owner.ID)
	}
	for _, w := range c.plan.Withdrawals {
		teams = append(teams, w.Owner.ID)
	}
	if err := announce(c.tx, "submission.created", c.submission.ID, teams...); err != nil {
		return err
	}
	summary := fmt.Sprintf("%s declaration version %d", c.plan.Summary().Text, c.submission.DeclarationVersion)
	return record(c.tx, c.who, "submission.create", object("submission", c.submission.ID), summary)
}
