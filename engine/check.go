package engine

import (
	"strings"

	"github.com/portolan/portolan/engine/schema"
)

// permit checks what the document may ask for: its scope (marketplace G12),
// its services (V1, V3) and their states (V4).
func (p *planner) permit() {
	for _, application := range p.doc.Applications {
		if !p.inScope(application.Name) {
			path := []string{p.doc.Team, application.Name}
			p.add(application.At, "G12", path, path, "The application %q is in the document, but ?application= does not name it. Name it or leave it out.", application.Name)
		}
		for _, service := range application.Services {
			p.permitService(application.Name, service)
		}
	}
	for _, w := range p.wishes {
		p.permitChange(w)
	}
}

func (p *planner) permitService(application string, list DeclaredService) {
	service := p.now.Services[list.Name]
	pointer, path := []string{p.doc.Team, application, "services", list.Name}, []string{p.doc.Team, application, list.Name}
	switch {
	case service == nil:
		p.add(list.At, "V1", pointer, path, "There is no service %q that your team may order. Its name may be misspelt.", list.Name)
	case service.State == ServiceDecommissioned && !list.Empty:
		p.add(list.At, "V1", pointer, path, "The service %q is decommissioned: nothing of it can be declared any more.", list.Name)
	default:
		p.plan.Schemas[list.Name] = service.SchemaVersion
	}
}

func (p *planner) permitChange(w *wish) {
	if w.service == nil || w.service.State == ServiceDecommissioned {
		return
	}
	if w.change == Create {
		switch {
		case !w.service.Open:
			p.addItem(w, "V3", "The service %q is private and your team is not on its list: it cannot order new items. Ask %s.", w.key.Service, w.service.Owner.Name)
		case w.service.State != ServiceInService:
			p.addItem(w, "V4", "The service %q takes no new service items at the moment, so %q cannot be created.", w.key.Service, w.key.Name)
		}
	}
	if w.change == Modify && w.service.State == ServiceNoModify {
		p.addItem(w, "V4", "The service %q allows only deletions at the moment, so %q cannot be changed.", w.key.Service, w.key.Name)
	}
}

// addItem notes a problem of an item that the document declares.
func (p *planner) addItem(w *wish, rule, format string, args ...any) {
	path := []string{p.doc.Team, w.key.Application, w.key.Service, w.key.Name}
	p.add(w.declared.Value.At, rule, p.doc.pointer(w.declared), path, format, args...)
}

// validate holds each new or changed item against the newest schema of its
// service (marketplace V2); an unchanged item is not judged again.
func (p *planner) validate() {
	var changed []*wish
	var jobs []schema.Job
	for _, w := range p.wishes {
		if w.change == Create || w.change == Modify {
			changed = append(changed, w)
			jobs = append(jobs, schema.Job{Schema: w.service.Schema, Item: w.declared.Value})
		}
	}
	for i, violations := range p.now.Guard.Validate(jobs) {
		for _, v := range violations {
			p.violate(changed[i], v)
		}
	}
}

func (p *planner) violate(w *wish, v schema.Violation) {
	path := []string{p.doc.Team, w.key.Application, w.key.Service, w.key.Name}
	if len(v.Path) > 0 {
		path = append(path, v.Path[0])
	}
	p.add(v.At, "V2", p.doc.pointer(w.declared, v.Path...), path, "%s", v.Message)
}

// field writes a path within an item for people: related_vms[1].name.
func field(path []string) string {
	var text strings.Builder
	for i, part := range path {
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			text.WriteString("[" + part + "]")
		case i > 0:
			text.WriteString("." + part)
		default:
			text.WriteString(part)
		}
	}
	return text.String()
}
