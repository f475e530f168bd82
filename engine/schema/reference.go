package schema

import (
	"slices"
	"strconv"

	"github.com/portolan/portolan/engine/value"
)

// The notation of references is NetOrca's (marketplace R1).
const (
	oneReference   = "reference"
	manyReferences = "reference_list"
)

// Reference is one name of another item that an item holds.
type Reference struct {
	Path      []string // from the item to the name
	At        int      // byte offset of the name
	Service   string   // whose item is named
	Name      string
	Team      bool // it may be in any application of the team (marketplace R2)
	Propagate bool // a change of the named item wakes this one (marketplace R5)
}

// checkReference refuses a reference that is not written as R1 wants it.
func checkReference(n *node, found *findings) {
	format, _ := n.text("format")
	isReference := format == oneReference || format == manyReferences
	service, has := n.get("service_reference")
	if !has && !isReference {
		refuseAlone(n, found)
		return
	}
	switch {
	case !isReference:
		found.keyword("R1", n, "service_reference", `service_reference needs "format": "reference" or "reference_list" beside it`)
	case !has:
		found.keyword("R1", n, "format", `"format": %q needs "service_reference" with the name of a service beside it`, format)
	case service.Kind != value.String:
		found.keyword("R1", n, "service_reference", "service_reference must be the name of a service")
	default:
		if why := value.CheckName(service.Text); why != "" {
			found.keyword("R1", n, "service_reference", "service_reference %s, because it is the name of a service", why)
		}
	}
	if isReference {
		checkHolder(n, format, found)
	}
	checkReferenceOptions(n, found)
}

// refuseAlone refuses what means something only beside service_reference.
func refuseAlone(n *node, found *findings) {
	for _, keyword := range []string{"reference_method", "reference_scope", "propagate"} {
		if _, ok := n.get(keyword); ok {
			found.keyword("R1", n, keyword, "%s has a meaning only beside service_reference", keyword)
		}
	}
}

// checkHolder checks that names can stand where the reference is.
func checkHolder(n *node, format string, found *findings) {
	all := closure([]*node{n}, sure)
	types := typesOf(all)
	if format == oneReference {
		if !slices.Contains(types, "string") {
			found.keyword("R1", n, "format", `"format": "reference" belongs on "type": "string"`)
		}
		return
	}
	if !slices.Contains(types, "array") {
		found.keyword("R1", n, "format", `"format": "reference_list" belongs on "type": "array"`)
	}
	if method, _ := n.text("reference_method"); method != "list" {
		found.keyword("R1", n, "reference_method", `"format": "reference_list" needs "reference_method": "list"`)
	}
	for _, items := range linked(all, "items", "") {
		if types := typesOf(closure([]*node{items}, sure)); types != nil && !slices.Contains(types, "string") {
			found.keyword("R1", items, "type", "the elements of a reference_list are names, so of type string")
		}
	}
}

func checkReferenceOptions(n *node, found *findings) {
	if v, ok := n.get("reference_scope"); ok && !oneOf("application", "team")(v) {
		found.keyword("R2", n, "reference_scope", `reference_scope must be "application" or "team"`)
	}
	if v, ok := n.get("propagate"); ok && !isBool(v) {
		found.keyword("R5", n, "propagate", "propagate must be true or false")
	}
	format, _ := n.text("format")
	if v, ok := n.get("reference_method"); ok && format != manyReferences && !oneOf("list")(v) {
		found.keyword("R1", n, "reference_method", `reference_method must be "list"`)
	}
}

// references knows which sub-schemas lead to a reference.
type references struct {
	leads    map[*node]bool
	services []string
}

func newReferences(g *graph) references {
	r := references{leads: map[*node]bool{}}
	reached := newSpots(g).sure
	for _, n := range g.nodes {
		if service, ok := n.text("service_reference"); ok && reached[n] {
			r.leads[n] = true
			if !slices.Contains(r.services, service) {
				r.services = append(r.services, service)
			}
		}
	}
	for grown := len(r.leads) > 0; grown; {
		grown = r.grow(g)
	}
	return r
}

// grow adds the sub-schemas one step above those that lead to a reference.
func (r references) grow(g *graph) (grown bool) {
	for _, n := range slices.Backward(g.nodes) {
		if r.leads[n] {
			continue
		}
		leads := n.ref != nil && r.leads[n.ref] || slices.ContainsFunc(n.links, func(l link) bool {
			return l.place().sure && l.place().reach != nowhere && r.leads[l.to]
		})
		if leads {
			r.leads[n], grown = true, true
		}
	}
	return grown
}

// HasReferences reports whether items of this schema can name other items.
func (s *Schema) HasReferences() bool { return len(s.refs.services) > 0 }

// ReferencedServices lists the services whose items can be named.
func (s *Schema) ReferencedServices() []string { return s.refs.services }

// References lists the names of other items that an item holds, at any depth,
// in the order written.
func (s *Schema) References(item *value.Value) []Reference {
	if !s.HasReferences() {
		return nil
	}
	w := referenceWalk{leads: s.refs.leads, seen: map[visit]bool{}, taken: map[taken]bool{}}
	w.visit(s.graph.root(), item)
	slices.SortStableFunc(w.found, func(a, b Reference) int { return a.At - b.At })
	return w.found
}

// referenceWalk goes through schema and item together.
type referenceWalk struct {
	leads map[*node]bool
	seen  map[visit]bool
	taken map[taken]bool
	path  []string
	found []Reference
}

// visit is one sub-schema applied to one value.
type visit struct {
	node  *node
	value *value.Value
}

// taken is one value that names items of one service; two parts of a schema
// may say the same of it.
type taken struct {
	value   *value.Value
	service string
}

func (w *referenceWalk) visit(n *node, v *value.Value) {
	key := visit{n, v}
	if !w.leads[n] || w.seen[key] {
		return
	}
	w.seen[key] = true
	w.take(n, v)
	if n.ref != nil {
		w.visit(n.ref, v)
	}
	for _, l := range n.links {
		if l.place().sure && l.place().reach == itself {
			w.visit(l.to, v)
		}
	}
	for i := range v.Members {
		m := &v.Members[i]
		for _, to := range n.member(m.Name, sure) {
			w.step(m.Name, to, &m.Value)
		}
	}
	for i := range v.Items {
		if to := n.element(i); to != nil && w.leads[to] {
			w.step(strconv.Itoa(i), to, &v.Items[i])
		}
	}
}

func (w *referenceWalk) step(name string, n *node, v *value.Value) {
	if !w.leads[n] {
		return
	}
	w.path = append(w.path, name)
	w.visit(n, v)
	w.path = w.path[:len(w.path)-1]
}

// take keeps the names that v holds if n says that they are names.
func (w *referenceWalk) take(n *node, v *value.Value) {
	service, ok := n.text("service_reference")
	if !ok || w.taken[taken{v, service}] {
		return
	}
	w.taken[taken{v, service}] = true
	if v.Kind == value.String {
		w.add(n, service, v, slices.Clone(w.path))
	}
	for i := range v.Items {
		if item := &v.Items[i]; item.Kind == value.String {
			w.add(n, service, item, append(slices.Clone(w.path), strconv.Itoa(i)))
		}
	}
}

func (w *referenceWalk) add(n *node, service string, v *value.Value, path []string) {
	scope, _ := n.text("reference_scope")
	propagate, ok := n.get("propagate")
	w.found = append(w.found, Reference{
		Path: path, At: v.At, Service: service, Name: v.Text,
		Team: scope == "team", Propagate: !ok || propagate.Text != "false",
	})
}

// element finds what n says about the element at index, nil if nothing.
func (n *node) element(index int) *node {
	var rest *node
	name := strconv.Itoa(index)
	for _, l := range n.links {
		switch {
		case l.keyword != "prefixItems" && l.keyword != "items" && l.keyword != "additionalItems":
		case l.name == name:
			return l.to
		case l.keyword == "items" && l.name == "", l.keyword == "additionalItems" && rest == nil:
			rest = l.to
		}
	}
	return rest
}
