package pages

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

func (p Pages) showDocs(c *fiber.Ctx) error {
	service, own, err := p.service(c, "docs")
	if err != nil {
		return err
	}
	page := views.ServiceDocs{Own: own, Readme: service.Readme, Description: service.Description, Tags: strings.Join(tagsOf(service), ", ")}
	return web.Render(c, service.Name, views.ServiceDocsPage(page))
}

// changeDocs saves readme, description and tags, or shows what the readme
// would look like.
func (p Pages) changeDocs(c *fiber.Ctx) error {
	service, own, err := p.service(c, "docs")
	if err != nil {
		return err
	}
	page := views.ServiceDocs{Own: own}
	err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		page.Readme, page.Description, page.Tags = lines(form.Text("readme")), strings.TrimSpace(form.Text("description")), form.Text("tags")
		if form.Text("action") == "preview" {
			return "", "", errOnlyChecked
		}
		version, err := form.Number("version")
		if err != nil {
			return "", "", err
		}
		tags := splitTags(page.Tags)
		_, err = p.Market.ChangeService(c.UserContext(), who, service.ID, market.ServicePatch{Version: version, Readme: &page.Readme, Description: &page.Description, Tags: &tags})
		return own.Path("docs"), "The docs are saved.", err
	})
	if err == errOnlyChecked {
		page.Preview = true
		return web.Render(c, service.Name, views.ServiceDocsPage(page))
	}
	if f := sentBack(err); f != nil {
		page.Problems = problems(f)
		return web.Render(c.Status(statusOf(f)), service.Name, views.ServiceDocsPage(page))
	}
	return err
}

// lines ends lines as everybody but a browser's form does.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// splitTags reads tags that are separated by commas, each once.
func splitTags(text string) []string {
	tags := []string{}
	seen := map[string]bool{}
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" && !seen[tag] {
			seen[tag] = true
			tags = append(tags, tag)
		}
	}
	return tags
}
