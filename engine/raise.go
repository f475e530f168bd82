package engine

import (
	"slices"

	"github.com/portolan/portolan/engine/value"
)

// raise turns each wish into the change instances it takes: the owner's own,
// the copies of dependent teams (marketplace D1), and what SYSTEM takes back (G8).
func (p *planner) raise() {
	lanes := map[Key][]Change{}
	for _, w := range p.wishes {
		lanes[w.key] = p.raiseOne(w)
	}
	order := slices.Clone(p.wishes)
	slices.SortStableFunc(order, func(a, b *wish) int { return rank(a) - rank(b) })
	for _, w := range order {
		p.plan.Changes = append(p.plan.Changes, lanes[w.key]...)
	}
	p.dropUncaused()
}

// rank puts deletions last (marketplace G10).
func rank(w *wish) int {
	if w.change == Delete {
		return 1
	}
	return 0
}

// raiseOne lists the changes of one item: the owner's, then the copies by team.
func (p *planner) raiseOne(w *wish) []Change {
	if w.withdraw != nil {
		p.withdraw(w)
	}
	var changes []Change
	own, raised := p.own(w)
	if raised {
		changes = p.keep(changes, w, own)
	}
	for _, team := range p.dependants(w) {
		switch {
		case w.withdraw != nil && w.change != Create && w.withdraw.acted(team):
			changes = p.keep(changes, w, p.comeback(w, own, raised, team))
		case raised:
			changes = p.keep(changes, w, copyFor(own, team))
		}
	}
	if !raised && w.declared != nil {
		p.rest(w)
	}
	return changes
}

func (p *planner) dependants(w *wish) []Team {
	if w.service == nil {
		return nil
	}
	return w.service.Dependants
}

// own is the change of the owner's lane, if the item takes one.
func (p *planner) own(w *wish) (Change, bool) {
	c := Change{Key: w.key, Service: w.service, Type: w.change, Kind: Basic}
	if w.service != nil {
		c.Owner, c.State = w.service.Owner, w.service.born()
	}
	if w.item != nil {
		c.ItemID, c.BaseChange, c.Rejection = w.item.ID, w.item.BaseChange, w.item.Rejection
	}
	switch {
	case w.change == Create:
		c.New = p.version(w)
	case w.change == Modify:
		c.New, c.Old = p.version(w), w.stands()
	case w.change == Delete:
		c.Old, c.Reason = w.stands(), p.whyDeleted(w)
	case len(w.causes) > 0:
		c.Type, c.Kind, c.Reason, c.Causes = Modify, Referenced, BecauseOf, w.causes
		c.New, c.Old, c.Hash, c.Rejection = w.stands(), w.stands(), w.item.Hash, nil
		return c, true
	default:
		return c, false
	}
	c.Hash = w.hash
	if w.withdraw != nil {
		c.Withdraws = w.withdraw.Change
	}
	return c, true
}

// version is the new declaration with the next number (marketplace G5).
func (p *planner) version(w *wish) *Version {
	number := 1
	if w.item != nil {
		number = w.item.LastVersion + 1
	}
	return &Version{Number: number, Declaration: string(value.AppendJSON(nil, w.declared.Value)), Schema: w.service.SchemaVersion}
}

// stands is the declaration that stood before this submission.
func (w *wish) stands() *Version {
	return &Version{Number: w.item.Version, Declaration: w.item.Declaration, Schema: w.item.Schema}
}

func (p *planner) whyDeleted(w *wish) Reason {
	if p.named[w.key.Application] {
		return NotDeclared
	}
	return ApplicationGone
}

// withdraw takes back a PENDING DELETE and the PENDING copies of it.
func (p *planner) withdraw(w *wish) {
	take := func(change int64, owner Team) {
		p.plan.Withdrawals = append(p.plan.Withdrawals, Withdrawal{Key: w.key, ItemID: w.item.ID, Change: change, Owner: owner})
	}
	take(w.withdraw.Change, w.service.Owner)
	for _, c := range w.withdraw.Copies {
		if c.State == Pending {
			take(c.Change, c.Owner)
		}
	}
}

// acted reports whether a dependent team has acted on its copy of the deletion,
// so that for it the item is gone (marketplace G8).
func (d *Deletion) acted(team Team) bool {
	return slices.ContainsFunc(d.Copies, func(c Copy) bool {
		return c.Owner.ID == team.ID && c.State != Pending && !c.Lapsed
	})
}

// comeback is the CREATE copy for a dependent team that has already deleted
// the item, with the declaration as it is now.
func (p *planner) comeback(w *wish, own Change, raised bool, team Team) Change {
	c := Change{Key: w.key, ItemID: w.item.ID, Service: w.service, Type: Create, State: w.service.born(), New: w.stands(), Hash: w.item.Hash, BaseChange: w.item.BaseChange, Withdraws: w.withdraw.Change}
	if raised {
		c.New, c.Hash = own.New, own.Hash
	}
	return copyFor(c, team)
}

// copyFor is the copy of a change that a dependent team receives (marketplace D1).
func copyFor(own Change, team Team) Change {
	own.Owner, own.Kind, own.Reason, own.Rejection = team, Dependent, ForDependent, nil
	return own
}

// keep adds a change to an item's list, merged with the open one of its lane
// where the service wants that.
func (p *planner) keep(changes []Change, w *wish, c Change) []Change {
	if open := w.newestOpen(c.Owner.ID); open != nil {
		c.OpenChange = open.ID
		if w.service.Supersede && !p.supersede(w, &c, open) {
			return changes
		}
	}
	return append(changes, c)
}

// newestOpen is the newest open change of a lane, leaving out a deletion that is withdrawn.
func (w *wish) newestOpen(owner int64) *OpenChange {
	if w.item == nil {
		return nil
	}
	for i := len(w.item.Open) - 1; i >= 0; i-- {
		open := &w.item.Open[i]
		if open.Owner.ID == owner && (w.withdraw == nil || open.Type != Delete) {
			return open
		}
	}
	return nil
}

// rest notes an item that is declared as before; an errored one is worth a word (marketplace G7).
func (p *planner) rest(w *wish) {
	p.plan.Unchanged++
	if w.item != nil && w.item.Errored != 0 {
		p.plan.Notes = append(p.plan.Notes, Note{Key: w.key, Change: w.item.Errored})
	}
}

// dropUncaused takes out referenced changes whose causes were all merged into nothing.
func (p *planner) dropUncaused() {
	if len(p.plan.Supersessions) == 0 {
		return
	}
	modified := map[Key]bool{}
	for i := range p.plan.Changes {
		if c := &p.plan.Changes[i]; len(c.Causes) == 0 && !c.Dependent() {
			modified[c.Key] = true
		}
	}
	p.plan.Changes = slices.DeleteFunc(p.plan.Changes, func(c Change) bool {
		return len(c.Causes) > 0 && !slices.ContainsFunc(c.Causes, func(k Key) bool { return modified[k] })
	})
}

// describe adds which applications are left empty, and what the document says
// beside its items: metadata that differs from what is stored (marketplace G12).
func (p *planner) describe() {
	p.plan.Emptied = map[string]bool{}
	for _, w := range p.wishes {
		emptied, known := p.plan.Emptied[w.key.Application]
		p.plan.Emptied[w.key.Application] = (emptied || !known) && !w.stays
	}
	if p.doc.Metadata != nil && !sameMetadata(p.doc.Metadata, p.now.Metadata) {
		text := string(value.AppendJSON(nil, p.doc.Metadata))
		p.plan.Metadata = &text
	}
	for _, application := range p.doc.Applications {
		if application.Metadata != nil && !sameMetadata(application.Metadata, p.now.Applications[application.Name]) {
			p.plan.Applications[application.Name] = string(value.AppendJSON(nil, application.Metadata))
		}
	}
}

func sameMetadata(declared *value.Value, stored string) bool {
	if stored == "" {
		stored = "{}"
	}
	return value.Equal(declared, parse(stored), nil)
}
