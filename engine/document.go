package engine

import (
	"fmt"

	"github.com/portolan/portolan/engine/value"
)

// Problem is one reason why a document cannot be accepted.
type Problem = value.Problem

// MaxProblems is how many problems an answer lists at most.
const MaxProblems = value.MaxProblems

// MaxItems is how many service items a document may declare (trust H12).
const MaxItems = 100_000

// Key identifies a service item within its consumer team; names are compared exactly.
type Key struct{ Application, Service, Name string }

// String names the item for people: application / service / name.
func (k Key) String() string { return k.Application + " / " + k.Service + " / " + k.Name }

// Document is a declaration as its team wrote it: the whole end state of the
// applications it names (marketplace section 3).
type Document struct {
	Team         string
	Metadata     *value.Value // the team's, nil when the document has none
	Applications []DeclaredApplication
	Items        []Declared // all items, in the order written

	text   []byte
	teamAt int
	places map[[2]string]int // where each list of items stands, by application and service
}

// DeclaredApplication is one application of a document.
type DeclaredApplication struct {
	Name     string
	At       int
	Metadata *value.Value // nil when the document has none
	Services []DeclaredService
}

// DeclaredService is one service's list of items within an application.
type DeclaredService struct {
	Name  string
	At    int
	Empty bool
}

// Declared is one service item of a document.
type Declared struct {
	Key   Key
	Value *value.Value
	Index int // within its service's list
}

// Read turns a text into a document: strictly parsed (marketplace M4, M5), of
// the right shape (M1, M2), with legal names (M3) and no item twice (V1). The
// document holds what could be read, even when there are problems.
func Read(text []byte, yaml bool) (*Document, []Problem) {
	doc := &Document{text: text, places: map[[2]string]int{}}
	root, problems := value.Parse(text, yaml)
	if len(problems) > 0 {
		return doc, problems
	}
	r := &reader{report: report{text: text}, doc: doc, seen: map[Key]bool{}}
	r.team(&root)
	return doc, r.done()
}

// reader walks a parsed text and fills the document.
type reader struct {
	report
	doc  *Document
	seen map[Key]bool
}

func (r *reader) team(root *value.Value) {
	if root.Kind != value.Object || len(root.Members) == 0 {
		r.add(root.At, "M1", nil, nil, "The document must be an object with one key: the name of your team.")
		return
	}
	first := root.Members[0]
	r.doc.Team, r.doc.teamAt = first.Name, first.At
	if len(root.Members) > 1 {
		second := root.Members[1]
		r.add(second.At, "M1", []string{second.Name}, []string{second.Name},
			"One team per document: %q stands beside %q. Send one document for each team.", second.Name, first.Name)
		r.doc.Team = "" // whichever was meant
		return
	}
	r.name(first, "team", []string{first.Name}, []string{first.Name})
	if !r.object(&first.Value, "M1", "The team %q must be an object of applications.", []string{first.Name}) {
		return
	}
	for i := range first.Value.Members {
		member := &first.Value.Members[i]
		if member.Name == "metadata" {
			r.doc.Metadata = r.metadata(&member.Value, []string{first.Name, "metadata"})
			continue
		}
		r.application(member)
	}
}

func (r *reader) application(member *value.Member) {
	path := []string{r.doc.Team, member.Name}
	r.name(*member, "application", path, path)
	if !r.object(&member.Value, "M1", "The application %q must be an object with the key \"services\".", path) {
		return
	}
	r.doc.Applications = append(r.doc.Applications, DeclaredApplication{Name: member.Name, At: member.At})
	application := &r.doc.Applications[len(r.doc.Applications)-1]
	for i := range member.Value.Members {
		part := &member.Value.Members[i]
		switch part.Name {
		case "services":
			r.services(application, &part.Value)
		case "metadata":
			application.Metadata = r.metadata(&part.Value, append(path, "metadata"))
		default:
			r.add(part.At, "M1", append(path, part.Name), append(path, part.Name),
				"An application has the keys \"services\" and \"metadata\"; %q is neither. Move it below \"services\" if it is a service.", part.Name)
		}
	}
	if _, there := member.Value.Get("services"); !there {
		r.add(member.At, "M1", path, path, "The application %q has no \"services\". Write \"services\": {} to declare none.", member.Name)
	}
}

func (r *reader) services(application *DeclaredApplication, services *value.Value) {
	pointer := []string{r.doc.Team, application.Name, "services"}
	if services.Kind != value.Object {
		r.add(services.At, "M1", pointer, pointer[:2], "\"services\" must be an object: each key a service, each value a list of items.")
		return
	}
	for i := range services.Members {
		member := &services.Members[i]
		application.Services = append(application.Services, DeclaredService{Name: member.Name, At: member.At, Empty: len(member.Value.Items) == 0})
		r.doc.places[[2]string{application.Name, member.Name}] = member.At
		r.items(application.Name, member)
	}
}

func (r *reader) items(application string, service *value.Member) {
	pointer := []string{r.doc.Team, application, "services", service.Name}
	path := []string{r.doc.Team, application, service.Name}
	r.name(*service, "service", pointer, path)
	if service.Value.Kind != value.Array {
		r.add(service.Value.At, "V1", pointer, path, "The service %q must be a list of items, written in [ ].", service.Name)
		return
	}
	for i := range service.Value.Items {
		item := &service.Value.Items[i]
		if len(r.doc.Items) == MaxItems {
			r.add(item.At, "H12", pointer, path, "A document may declare at most %d service items.", MaxItems)
			return
		}
		r.item(Key{Application: application, Service: service.Name}, i, item)
	}
}

func (r *reader) item(key Key, index int, item *value.Value) {
	pointer := []string{r.doc.Team, key.Application, "services", key.Service, fmt.Sprint(index)}
	path := []string{r.doc.Team, key.Application, key.Service, fmt.Sprintf("[%d]", index)}
	if item.Kind != value.Object {
		r.add(item.At, "M2", pointer, path, "An item must be an object with a \"name\".")
		return
	}
	name, there := item.Get("name")
	if !there {
		r.add(item.At, "V1", pointer, append(path, "name"), "This item has no \"name\". Give it one that is unique among the %s items of %s.", key.Service, key.Application)
		return
	}
	if name.Kind != value.String {
		r.add(name.At, "V1", append(pointer, "name"), append(path, "name"), "The \"name\" of an item must be a string.")
		return
	}
	if sentence := value.CheckName(name.Text); sentence != "" {
		r.add(name.At, "M3", append(pointer, "name"), append(path, "name"), "The item name %s.", sentence)
		return
	}
	key.Name = name.Text
	if r.seen[key] {
		r.add(name.At, "V1", append(pointer, "name"), []string{r.doc.Team, key.Application, key.Service, key.Name, "name"},
			"%q is declared twice among the %s items of %s. Remove one of them.", key.Name, key.Service, key.Application)
		return
	}
	r.seen[key] = true
	r.doc.Items = append(r.doc.Items, Declared{Key: key, Value: item, Index: index})
}

func (r *reader) metadata(metadata *value.Value, path []string) *value.Value {
	if metadata.Kind != value.Object {
		r.add(metadata.At, "M1", path, path, "\"metadata\" must be an object.")
		return nil
	}
	return metadata
}

func (r *reader) name(member value.Member, what string, pointer, path []string) {
	if sentence := value.CheckName(member.Name); sentence != "" {
		r.add(member.At, "M3", pointer, path, "The %s name %s.", what, sentence)
	}
}

func (r *reader) object(v *value.Value, rule, format string, path []string) bool {
	if v.Kind != value.Object {
		r.add(v.At, rule, path, path, format, path[len(path)-1])
	}
	return v.Kind == value.Object
}

// pointer is where an item stands in its document.
func (d *Document) pointer(item *Declared, below ...string) []string {
	return append([]string{d.Team, item.Key.Application, "services", item.Key.Service, fmt.Sprint(item.Index)}, below...)
}
