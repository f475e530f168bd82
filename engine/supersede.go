package engine

import "github.com/portolan/portolan/engine/value"

// supersede merges a change into the open one of its lane, which nobody has
// fetched or approved by hand (delivery S1, S2). It reports whether anything is
// left to do; if not, the open change is closed without a successor.
func (p *planner) supersede(w *wish, c *Change, open *OpenChange) bool {
	if open.State != c.State || (open.State != Pending && !open.Untouched) {
		return true
	}
	if open.Own && open.ID != w.item.BaseChange {
		return true // something newer is done already
	}
	switch {
	case open.Type == Create && c.Type == Modify && c.Kind != Referenced && len(c.Causes) == 0:
		c.Type, c.Old = Create, nil
	case open.Type == Create && c.Type == Delete:
		return p.nothingLeft(w, open)
	case open.Type == Modify && c.Type == Modify:
		c.Old = open.Old
		if len(c.Causes) == 0 && p.sameVersion(w, c.New, open.Old) {
			return p.nothingLeft(w, open)
		}
		if len(c.Causes) > 0 && open.Kind == Basic {
			c.Kind = Basic
		}
	case open.Type == Modify && c.Type == Delete:
		c.Old = open.Old
	default:
		return true
	}
	c.Supersedes = open.ID
	return true
}

// nothingLeft closes an open change without a successor; an item that was
// never created ends with it (delivery S3).
func (p *planner) nothingLeft(w *wish, open *OpenChange) bool {
	p.plan.Supersessions = append(p.plan.Supersessions, Supersession{
		Key: w.key, ItemID: w.item.ID, Change: open.ID, Owner: open.Owner, State: open.State,
		Decommission: open.Own && open.Type == Create,
	})
	return false
}

func (p *planner) sameVersion(w *wish, a, b *Version) bool {
	return a != nil && b != nil && value.Equal(parse(a.Declaration), parse(b.Declaration), w.service.Schema.Ordering())
}
