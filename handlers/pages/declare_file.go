package pages

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// convertDeclaration writes the text anew: as JSON, as YAML, or with an example
// item of a service in it. Digits stay as they are (portal DEC10).
func (p Pages) convertDeclaration(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	d := readDraft(form)
	root, problems := value.Parse([]byte(d.text), d.yaml)
	if len(problems) > 0 && d.isRather(form.Text("to")) {
		d.yaml = !d.yaml
		page, err := p.preview(c, d)
		if err != nil {
			return err
		}
		return p.declare(c, d, page)
	}
	if len(problems) > 0 {
		page := views.Declare{Problems: problems, Total: len(problems), Status: views.PreviewStatus{Problems: len(problems), Of: p.madeAt(c, d.preview)}}
		return p.declare(c.Status(fiber.StatusUnprocessableEntity), d, page)
	}
	if form.Has("to") && d.yaml && hasComments(d.text) && c.Query("lose") == "" {
		return p.declare(c, d, views.Declare{Comments: true, Banners: []views.Banner{{
			Tone: components.Warn, Title: "The comments of this text would be lost", Text: "They can be kept only while the text stays as it is. Your text is unchanged.",
		}}})
	}
	if form.Has("service") {
		id, err := strconv.ParseInt(form.Text("service"), 10, 64)
		if err != nil {
			return err
		}
		if err := p.Market.PlantExample(c.UserContext(), web.Actor(c), &root, d.application, id); err != nil {
			return err
		}
	} else {
		d.yaml = form.Text("to") == "yaml"
	}
	d.text = d.write(&root)
	page, err := p.preview(c, d)
	if err != nil {
		return err
	}
	return p.declare(c, d, page)
}

// isRather reports whether a text is written in the other format already, the
// one it is to be converted to: somebody has pasted it.
func (d draft) isRather(to string) bool {
	if to == "" || (to == "yaml") == d.yaml {
		return false
	}
	_, problems := value.Parse([]byte(d.text), !d.yaml)
	return len(problems) == 0
}

// hasComments reports whether a YAML text may hold comments; a # inside a string
// counts too, so that nothing is lost unasked.
func hasComments(text string) bool {
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.Contains(line, " #") {
			return true
		}
	}
	return false
}

// downloadDeclaration sends what is declared now as a file, ready to be
// submitted again (lifecycle T8).
func (p Pages) downloadDeclaration(c *fiber.Ctx) error {
	var names []string
	if application := c.Query("application"); application != "" {
		names = []string{application}
	}
	document, _, err := p.Market.Declaration(c.UserContext(), web.Actor(c), names)
	if err != nil {
		return err
	}
	if !web.Actor(c).MayWrite() {
		if document, err = p.Market.HideSecrets(c.UserContext(), document); err != nil {
			return err
		}
	}
	d := draft{yaml: c.Query("format") == "yaml"}
	name, kind := "declaration.json", web.JSON
	if d.yaml {
		name, kind = "declaration.yaml", web.YAML
	}
	return attachment(c, name, kind, []byte(d.write(&document)))
}

// attachment sends a file under a name of ours (trust B9).
func attachment(c *fiber.Ctx, name, kind string, body []byte) error {
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Send(body)
}

// uploadDeclaration puts a file into the editor; nothing is submitted.
func (p Pages) uploadDeclaration(c *fiber.Ctx) error {
	d := draft{application: c.Query("application"), rows: planRows}
	file, err := web.Upload(c, "file")
	if err != nil {
		return err
	}
	if !utf8.Valid(file) {
		return p.declare(c.Status(fiber.StatusUnprocessableEntity), d, views.Declare{Banners: []views.Banner{{Tone: components.Bad, Title: "The file is not text", Text: "Upload JSON or YAML in UTF-8."}}})
	}
	d.text = plain(string(file))
	first := strings.TrimLeft(d.text, " \t\r\n")
	d.yaml = !strings.HasPrefix(first, "{") && !strings.HasPrefix(first, "[")
	page, err := p.preview(c, d)
	if err != nil {
		return err
	}
	if page.Total > 0 {
		c.Status(fiber.StatusUnprocessableEntity)
	}
	return p.declare(c, d, page)
}
