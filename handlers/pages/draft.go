package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// planRows is how many changes a preview shows at first (portal DEC15).
const planRows = 100

// draft is what the form of the editor holds.
type draft struct {
	application string // the scope; "" for the whole team
	text        string
	yaml        bool
	partial     bool
	comment     string
	preview     string            // the stored preview that is shown
	set         string            // of deletions that are to be confirmed
	typed       map[string]string // confirmations, by what they confirm
	rows        int
}

func readDraft(form web.FormValues) draft {
	d := draft{
		application: form.Text("application"), text: plain(form.Text("declaration")), yaml: form.Text("format") == "yaml",
		partial: form.Has("partial"), comment: strings.TrimSpace(form.Text("comment")), preview: form.Text("preview"),
		set: form.Text("confirm_set"), typed: map[string]string{}, rows: planRows,
	}
	names, typed := form.All("confirm_for"), form.All("confirm")
	for i := range min(len(names), len(typed)) {
		d.typed[names[i]] = typed[i]
	}
	if n, err := strconv.Atoi(form.Text("rows")); err == nil && n > planRows {
		d.rows = min(n, 10_000)
	}
	return d
}

// proposal is the draft as the marketplace plans it.
func (d draft) proposal() market.Proposal {
	proposal := market.Proposal{Text: []byte(d.text), YAML: d.yaml, Partial: d.partial}
	if d.application != "" {
		proposal.Applications = []string{d.application}
	}
	return proposal
}

// submission is the draft as it is submitted: the stored preview holds the rest.
func (d draft) submission() market.Proposal {
	return market.Proposal{Preview: d.preview, Comment: d.comment, ConfirmDeletes: d.deletions()}
}

// deletions is the number that was confirmed, nil if nothing was.
func (d draft) deletions() *int {
	n, err := strconv.Atoi(strings.SplitN(d.set, "-", 2)[0])
	if err != nil {
		return nil
	}
	return &n
}

// isPreviewed reports whether a stored preview is of this very draft.
func (d draft) isPreviewed(stored models.Preview) bool {
	var applications []string
	if stored.Applications != "" && json.Unmarshal([]byte(stored.Applications), &applications) != nil {
		return false
	}
	return string(stored.Text) == d.text && stored.Yaml == d.yaml && stored.Partial == d.partial && slices.Equal(applications, d.proposal().Applications)
}

// write writes a document in the draft's format.
func (d draft) write(v *value.Value) string {
	if d.yaml {
		return string(value.YAML(v))
	}
	return string(value.Indent(v))
}

// confirmations is up to how many names are typed one by one (portal DEC6).
const confirmations = 5

// confirmation lists what has to be typed before a plan's deletions happen: the
// name of each item, of an application instead where it loses all its items,
// or the number where there are many.
func confirmation(plan *engine.Plan, typed map[string]string) views.Confirmation {
	var c views.Confirmation
	emptied := map[string]int{}
	deletions := plan.Deletions()
	for _, key := range deletions {
		if plan.Emptied[key.Application] {
			if emptied[key.Application]++; emptied[key.Application] > 1 {
				continue
			}
			c.Fields = append(c.Fields, views.ConfirmField{For: "application/" + key.Application, Expect: key.Application})
			continue
		}
		c.Fields = append(c.Fields, views.ConfirmField{For: "item/" + key.String(), Label: fmt.Sprintf("Delete %s / %s of %s: type %s", key.Service, key.Name, key.Application, key.Name), Expect: key.Name})
	}
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Label == "" {
			f.Label = fmt.Sprintf("Delete everything of the application %s (%s): type %s", f.Expect, counted(emptied[f.Expect], "item", "items"), f.Expect)
		}
	}
	if len(c.Fields) > confirmations {
		n := strconv.Itoa(len(deletions))
		c.Fields = []views.ConfirmField{{For: "count", Label: "Delete " + n + " items: type " + n, Expect: n}}
	}
	for i := range c.Fields {
		c.Fields[i].Typed = typed[c.Fields[i].For]
	}
	c.Set = setOf(deletions)
	return c
}

// setOf names a set of deletions: how many, and a piece of the hash of which.
func setOf(deletions []engine.Key) string {
	if len(deletions) == 0 {
		return ""
	}
	hash := sha256.New()
	for _, key := range deletions {
		fmt.Fprintf(hash, "%q %q %q\n", key.Application, key.Service, key.Name)
	}
	return fmt.Sprintf("%d-%s", len(deletions), hex.EncodeToString(hash.Sum(nil)[:8]))
}
