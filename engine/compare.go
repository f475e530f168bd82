package engine

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"github.com/portolan/portolan/engine/value"
)

// planner works one plan out, step by step; each step is a method in the file
// of its rule.
type planner struct {
	report
	doc     *Document
	scope   Scope
	now     Situation
	wishes  []*wish // the document's in its order, then the stored ones by key
	byKey   map[Key]*wish
	homes   map[[2]string][]string // applications that declare a name after this, by service and name
	leaving map[[2]string][]*wish  // items that this submission deletes, by service and name
	named   map[string]bool        // the applications of the document
	scoped  map[string]bool        // the applications of the scope, nil for the whole team
	plan    Plan
	canon   []byte
}

// wish is what becomes of one item.
type wish struct {
	key      Key
	service  *Service
	declared *Declared // nil when the document does not name it
	item     *Item     // nil when there is none yet
	existed  bool      // declared before; a withdrawn deletion counts (marketplace G8)
	stays    bool      // declared after this submission
	change   ChangeType
	withdraw *Deletion
	hash     [32]byte
	stored   *value.Value // the parsed declaration of an item that the document does not name
	causes   []Key
}

func newPlanner(doc *Document, scope Scope, now Situation) *planner {
	p := &planner{
		report: report{text: doc.text}, doc: doc, scope: scope, now: now, named: map[string]bool{},
		byKey: make(map[Key]*wish, len(doc.Items)),
		plan:  Plan{Applications: map[string]string{}, Schemas: map[string]int{}},
	}
	for _, application := range doc.Applications {
		p.named[application.Name] = true
	}
	if scope.Applications != nil {
		p.scoped = map[string]bool{}
	}
	for _, name := range scope.Applications {
		p.scoped[name] = true
	}
	return p
}

// gather pairs each declared item with the stored one of the same key.
func (p *planner) gather() {
	p.wishes = make([]*wish, 0, len(p.doc.Items))
	for i := range p.doc.Items {
		declared := &p.doc.Items[i]
		w := &wish{key: declared.Key, service: p.now.Services[declared.Key.Service], declared: declared, stays: true}
		p.wishes = append(p.wishes, w)
		p.byKey[w.key] = w
	}
	rest := len(p.wishes)
	for i := range p.now.Items {
		item := &p.now.Items[i]
		if w := p.byKey[item.Key]; w != nil {
			w.item = item
			continue
		}
		w := &wish{key: item.Key, service: p.now.Services[item.Key.Service], item: item}
		p.wishes = append(p.wishes, w)
		p.byKey[w.key] = w
	}
	slices.SortFunc(p.wishes[rest:], func(a, b *wish) int { return compareKeys(a.key, b.key) })
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Application, b.Application), cmp.Compare(a.Service, b.Service), cmp.Compare(a.Name, b.Name))
}

// compare decides what happens to each item (marketplace G2, G4, G6, G8).
func (p *planner) compare() {
	for _, w := range p.wishes {
		w.existed = w.item != nil && w.item.Declared
		switch {
		case w.declared == nil:
			p.compareAbsent(w)
		case w.service != nil:
			p.compareDeclared(w)
		}
	}
}

func (p *planner) compareAbsent(w *wish) {
	w.stays = w.existed
	if w.existed && !p.scope.Partial && p.inScope(w.key.Application) {
		w.change, w.stays = Delete, false
	}
}

func (p *planner) compareDeclared(w *wish) {
	w.hash = p.hash(w.declared.Value)
	if w.item == nil || (!w.item.Declared && w.item.Deletion == nil) {
		w.change = Create
		return
	}
	if w.item.Deletion != nil && !w.item.Declared {
		w.withdraw = w.item.Deletion
		if w.item.Declaration == "" {
			w.change = Create
			return
		}
		w.existed = true
	}
	if !p.same(w) {
		w.change = Modify
	}
}

// same reports whether an item is declared as before: by hash first, by a
// compare under the schema's ordering only where hashes differ (speed section 3).
func (p *planner) same(w *wish) bool {
	if w.hash == w.item.Hash {
		return true
	}
	ordering := w.service.Schema.Ordering()
	return ordering != nil && value.Equal(parse(w.item.Declaration), w.declared.Value, ordering)
}

func (p *planner) hash(v *value.Value) [32]byte {
	p.canon = value.AppendCanonical(p.canon[:0], v, nil)
	return sha256.Sum256(p.canon)
}

func (p *planner) inScope(application string) bool {
	return p.scoped == nil || p.scoped[application]
}
