package pages

import (
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// firstSchema is what one may begin with.
const firstSchema = `{
  "title": "MyService",
  "description": "One line about what others order.",
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1},
    "size": {"type": "string", "enum": ["small", "large"], "default": "small"}
  },
  "required": ["name", "size"],
  "additionalProperties": false
}
`

func (p Pages) newService(c *fiber.Ctx) error {
	return p.schemaPage(c, views.ServiceSchema{New: true, Text: firstSchema, Own: views.Own{Key: web.NewKey(), Admin: true}})
}

func (p Pages) schemaPage(c *fiber.Ctx, page views.ServiceSchema) error {
	return web.Render(c, or(page.Name, "Publish a service"), views.ServiceSchemaPage(page))
}

// showSchema shows the newest schema, to be read or to be changed.
func (p Pages) showSchema(c *fiber.Ctx) error {
	service, own, err := p.service(c, "schema")
	if err != nil {
		return err
	}
	related, err := p.Market.OfServices(c.UserContext(), []models.Service{service})
	if err != nil {
		return err
	}
	text := related.Schemas[service.ID].Schema
	if root, problems := value.ParseJSON([]byte(text)); len(problems) == 0 {
		text = string(value.Indent(&root))
	}
	return p.schemaPage(c, views.ServiceSchema{Own: own, Text: text, Before: service.SchemaVersion})
}

func (p Pages) publishNew(c *fiber.Ctx) error {
	return p.answerSchema(c, views.ServiceSchema{New: true, Own: views.Own{Key: web.NewKey(), Admin: true}})
}

func (p Pages) publishNext(c *fiber.Ctx) error {
	service, own, err := p.service(c, "schema")
	if err != nil {
		return err
	}
	return p.answerSchema(c, views.ServiceSchema{Own: own, Before: service.SchemaVersion})
}

// answerSchema checks a schema and, if that is asked for and nothing is in the
// way, publishes it. A schema that comes back says what is wrong, with places.
func (p Pages) answerSchema(c *fiber.Ctx, page views.ServiceSchema) error {
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		page.Text = form.Text("schema")
		text, yaml := []byte(page.Text), !looksLikeJSON(page.Text)
		verdict, err := p.Market.ValidateSchema(c.UserContext(), who, text, yaml)
		if err != nil {
			return "", "", err
		}
		page = checked(page, verdict)
		if form.Text("action") != "publish" {
			return "", "", errOnlyChecked
		}
		if err := publishable(page, form.Text("confirm_name")); err != nil && !titleOnly(page.Found) {
			return "", "", err
		}
		published, err := p.Market.Publish(c.UserContext(), who, text, yaml)
		return views.Own{ID: published.Service.ID}.Path("overview"), publication(published, verdict.Changes), err
	})
	if err == errOnlyChecked {
		return p.schemaPage(c, page)
	}
	if f := sentBack(err); f != nil {
		page.Problems = problems(f)
		return p.schemaPage(c.Status(statusOf(f)), page)
	}
	return err
}

// errOnlyChecked ends the handling of a form that asked for no more than a check.
var errOnlyChecked = fault.New(fault.Invalid, "Only checked.")

// titleOnly reports whether the title alone is in the way; Publish then says
// whether it is wrong or taken.
func titleOnly(found []value.Problem) bool { return len(found) == 1 && found[0].Pointer == "/title" }

func looksLikeJSON(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{")
}

func checked(page views.ServiceSchema, verdict market.SchemaVerdict) views.ServiceSchema {
	page.Checked, page.Title = true, verdict.Name
	page.Found, page.Total, page.Warnings = verdict.Problems, len(verdict.Problems), verdict.Warnings
	page.Changes = schemaChanges(verdict.Changes)
	return page
}

// publishable says what keeps a checked schema from being published: problems,
// the name of another service, or a break that nobody confirmed.
func publishable(page views.ServiceSchema, confirmed string) error {
	switch {
	case len(page.Found) > 0:
		return fault.Field("schema", "Mend the schema first; the problems are listed below.")
	case !page.New && page.Title != page.Name:
		return fault.Field("schema", "The title is %q, which is another service. Publish that one as a new service, or keep the title.", page.Title)
	case page.Breaking() && confirmed != page.Title:
		return fault.Field("confirm_name", "Type %s exactly, or make the changes safe.", page.Title)
	}
	return nil
}

// publication says what a publication led to.
func publication(published market.Published, changes []schema.SchemaChange) string {
	switch {
	case published.IsNew:
		return fmt.Sprintf("The service %s is published.", published.Service.Name)
	case !published.Changed:
		return "The schema is as it was; no new version was made."
	}
	breaking := 0
	for _, change := range changes {
		if change.Breaking {
			breaking++
		}
	}
	said := fmt.Sprintf("Version %d is published: %s", published.Service.SchemaVersion, counted(len(changes), "change", "changes"))
	if breaking > 0 {
		said += fmt.Sprintf(", %d breaking", breaking)
	}
	return said + "."
}
