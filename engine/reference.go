package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/schema"
)

// refer checks that every reference of the document resolves in the state
// after this submission (marketplace R2), and that nothing is deleted which
// something still refers to (R3).
func (p *planner) refer() {
	p.settle()
	for _, w := range p.wishes {
		for _, reference := range p.references(w) {
			if _, ok := p.resolve(w.key.Application, reference); !ok {
				p.dangle(w, reference)
			}
		}
	}
}

// settle notes which names exist after this submission, and which go.
func (p *planner) settle() {
	p.homes, p.leaving = make(map[[2]string][]string), map[[2]string][]*wish{}
	for _, w := range p.wishes {
		name := [2]string{w.key.Service, w.key.Name}
		if w.stays {
			p.homes[name] = append(p.homes[name], w.key.Application)
		} else if w.change == Delete {
			p.leaving[name] = append(p.leaving[name], w)
		}
	}
}

// references lists what an item refers to after this submission; nothing for
// an item that is gone. An item that the document does not name is read from
// what is stored.
func (p *planner) references(w *wish) []schema.Reference {
	if !w.stays || w.service == nil || !w.service.Schema.HasReferences() {
		return nil
	}
	if w.declared != nil {
		return w.service.Schema.References(w.declared.Value)
	}
	if w.stored == nil {
		w.stored = parse(w.item.Declaration)
	}
	return w.service.Schema.References(w.stored)
}

// resolve finds the item that a reference means: in the own application first,
// with team scope in all others, where exactly one must have it.
func (p *planner) resolve(application string, r schema.Reference) (Key, bool) {
	homes := p.homes[[2]string{r.Service, r.Name}]
	key := Key{Application: application, Service: r.Service, Name: r.Name}
	if own := p.byKey[key]; own != nil && own.stays {
		return key, true
	}
	if !r.Team || len(homes) != 1 {
		return key, false
	}
	key.Application = homes[0]
	return key, true
}

// dangle reports a reference that leads nowhere. An item that the document
// does not name is only held against the deletions of this submission: what
// dangled before is not this document's fault.
func (p *planner) dangle(w *wish, r schema.Reference) {
	var homes []string // where else it may be
	if r.Team {
		homes = p.homes[[2]string{r.Service, r.Name}]
	}
	deleted := p.deletedTarget(w, r)
	switch {
	case deleted != nil && (len(homes) == 0 || w.declared == nil):
		p.stillUsed(deleted, w, r)
	case w.declared == nil:
		p.blur(w, r, homes)
	case len(homes) > 1:
		p.addReference(w, r, "%s names the %s %q, which is ambiguous: the applications %s have it.", field(r.Path), r.Service, r.Name, someOf(homes))
	default:
		p.addReference(w, r, "%s names the %s %q, which does not exist after this submission%s. Declare it or take the reference out.", field(r.Path), r.Service, r.Name, within(w, r))
	}
}

// blur reports an item that is new and makes ambiguous what a stored one refers to.
func (p *planner) blur(user *wish, r schema.Reference, homes []string) {
	for _, home := range homes {
		fresh := p.byKey[Key{home, r.Service, r.Name}]
		if len(homes) > 1 && fresh.change == Create && fresh.declared != nil {
			p.addItem(fresh, "R2", "A second %s %q makes ambiguous what %s %q of %s refers to in %s: the applications %s have it. Choose another name.",
				r.Service, r.Name, user.key.Service, user.key.Name, user.key.Application, field(r.Path), someOf(homes))
			return
		}
	}
}

// someOf names a few of many.
func someOf(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, " and ")
}

func within(w *wish, r schema.Reference) string {
	if r.Team {
		return ""
	}
	return " in the application " + w.key.Application
}

func (p *planner) addReference(w *wish, r schema.Reference, format string, args ...any) {
	path := []string{p.doc.Team, w.key.Application, w.key.Service, w.key.Name, r.Path[0]}
	p.add(r.At, "R2", p.doc.pointer(w.declared, r.Path...), path, format, args...)
}

// deletedTarget finds the item that this submission deletes and the reference meant.
func (p *planner) deletedTarget(w *wish, r schema.Reference) *wish {
	if target := p.byKey[Key{w.key.Application, r.Service, r.Name}]; target != nil {
		if target.change == Delete {
			return target
		}
		return nil
	}
	if leaving := p.leaving[[2]string{r.Service, r.Name}]; r.Team && len(leaving) > 0 {
		return leaving[0]
	}
	return nil
}

// stillUsed reports a deletion that leaves a user behind: at the reference if
// the document holds it, else at the list that leaves the item out.
func (p *planner) stillUsed(deleted, user *wish, r schema.Reference) {
	const format = "The %s %q of %s cannot be deleted: %s %q of %s still refers to it in %s. Take the reference out or keep the item."
	args := []any{deleted.key.Service, deleted.key.Name, deleted.key.Application, user.key.Service, user.key.Name, user.key.Application, field(r.Path)}
	path := []string{p.doc.Team, deleted.key.Application, deleted.key.Service, deleted.key.Name}
	if user.declared != nil {
		path = []string{p.doc.Team, user.key.Application, user.key.Service, user.key.Name, r.Path[0]}
		p.add(r.At, "R3", p.doc.pointer(user.declared, r.Path...), path, format, args...)
		return
	}
	pointer, at := []string{p.doc.Team}, p.doc.teamAt
	for _, application := range p.doc.Applications {
		if application.Name == deleted.key.Application {
			pointer, at = append(pointer, application.Name), application.At
		}
	}
	if list, there := p.doc.places[[2]string{deleted.key.Application, deleted.key.Service}]; there {
		pointer, at = append(pointer, "services", deleted.key.Service), list
	}
	p.add(at, "R3", pointer, path, format, args...)
}

// wake gives each unchanged item one referenced MODIFY if something it refers
// to is modified itself (marketplace R4, R5, R6); it does not cascade.
func (p *planner) wake() {
	modified := map[string]bool{}
	for _, w := range p.wishes {
		if w.change == Modify {
			modified[w.key.Service] = true
		}
	}
	for _, w := range p.wishes {
		if w.change == "" && w.existed && w.stays && w.service != nil && p.mayWake(w.service, modified) {
			w.causes = p.causes(w)
		}
	}
}

func (p *planner) mayWake(service *Service, modified map[string]bool) bool {
	return slices.ContainsFunc(service.Schema.ReferencedServices(), func(name string) bool { return modified[name] })
}

func (p *planner) causes(w *wish) (causes []Key) {
	seen := map[Key]bool{}
	for _, reference := range p.references(w) {
		if !reference.Propagate {
			continue
		}
		key, ok := p.resolve(w.key.Application, reference)
		if ok && p.byKey[key].change == Modify && !seen[key] {
			seen[key] = true
			causes = append(causes, key)
		}
	}
	return causes
}
