package schema

import (
	"math"
	"regexp/syntax"

	"github.com/portolan/portolan/engine/value"
)

// maxSteps bounds the sub-schemas applied to one item, and so the time and the
// memory that its errors take.
const maxSteps = 250_000

// stepsPerMatch is how many steps of a regular expression weigh one step.
const stepsPerMatch = 300

// effort foretells what validating an item takes: a quick bound that is enough
// for nearly every item, and an exact count for the rest.
type effort struct {
	root  *node
	own   map[*node]weight // of the sub-schema alone
	total map[*node]weight // with all below it, MaxInt if it is recursive
}

// weight is the work of one sub-schema.
type weight struct {
	steps    int // per value
	patterns int // instructions run per byte of text
}

func (w weight) plus(o weight) weight {
	return weight{steps: add(w.steps, o.steps), patterns: add(w.patterns, o.patterns)}
}

var endless = weight{steps: math.MaxInt, patterns: math.MaxInt}

func newEffort(g *graph) effort {
	e := effort{root: g.root(), own: map[*node]weight{}, total: map[*node]weight{}}
	for _, n := range g.nodes {
		e.own[n] = ownWeight(n)
	}
	e.sum(g.root(), map[*node]bool{})
	return e
}

func ownWeight(n *node) weight {
	w := weight{steps: 1}
	if enum, ok := n.get("enum"); ok {
		for i := range enum.Items {
			if enum.Items[i].Kind != value.String {
				w.steps++ // numbers are compared as fractions
			}
		}
		w.steps += len(enum.Items) / 16
	}
	if text, ok := n.text("pattern"); ok {
		w.patterns += instructions(text)
	}
	for _, l := range n.open {
		if l.pattern != nil {
			w.steps++
			w.patterns += instructions(l.name)
		}
	}
	return w
}

func instructions(pattern string) int {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

func (e effort) sum(n *node, open map[*node]bool) weight {
	if w, ok := e.total[n]; ok {
		return w
	}
	if open[n] {
		return endless
	}
	open[n] = true
	w := e.own[n]
	if n.ref != nil {
		w = w.plus(e.sum(n.ref, open))
	}
	for _, l := range n.links {
		if l.place().reach != nowhere {
			w = w.plus(e.sum(l.to, open))
		}
	}
	delete(open, n)
	e.total[n] = w
	return w
}

// tooMuch reports whether validating item would go beyond the budget.
func (e effort) tooMuch(item *value.Value) bool {
	values, bytes := weigh(item)
	w := e.total[e.root]
	if add(times(values, w.steps), times(bytes, w.patterns)/stepsPerMatch) <= maxSteps {
		return false
	}
	c := counter{effort: e, made: map[visit]int{}}
	return c.count(e.root, item) > maxSteps
}

// weigh counts the values of an item and the bytes of its texts.
func weigh(v *value.Value) (values, bytes int) {
	values, bytes = 1, len(v.Text)
	for i := range v.Members {
		n, b := weigh(&v.Members[i].Value)
		values, bytes = values+n, bytes+b+len(v.Members[i].Name)
	}
	for i := range v.Items {
		n, b := weigh(&v.Items[i])
		values, bytes = values+n, bytes+b
	}
	return values, bytes
}

// counter counts by dynamic programming over pairs of sub-schema and value, so
// it is quick even where the validation itself would not be.
type counter struct {
	effort effort
	made   map[visit]int
}

func (c *counter) count(n *node, v *value.Value) int {
	key := visit{n, v}
	if sum, ok := c.made[key]; ok {
		return sum
	}
	if len(c.made) > maxSteps {
		return math.MaxInt
	}
	own := c.effort.own[n]
	sum := add(own.steps, times(own.patterns, len(v.Text))/stepsPerMatch)
	for _, s := range n.same(every) {
		sum = add(sum, c.count(s, v))
	}
	sum = add(sum, c.members(n, own, v))
	sum = add(sum, c.elements(n, v))
	c.made[key] = sum
	return sum
}

func (c *counter) members(n *node, own weight, v *value.Value) int {
	sum := 0
	for i := range v.Members {
		m := &v.Members[i]
		sum = add(sum, len(n.open)+times(own.patterns, len(m.Name))/stepsPerMatch)
		for _, to := range n.member(m.Name, every) {
			sum = add(sum, c.count(to, &m.Value))
		}
		if sum > maxSteps {
			return sum
		}
	}
	for _, l := range n.links {
		if l.place().reach == names {
			sum = add(sum, times(len(v.Members), min(c.effort.total[l.to].steps, maxCost)))
		}
	}
	return sum
}

func (c *counter) elements(n *node, v *value.Value) int {
	sum := 0
	for i := range v.Items {
		for _, l := range n.links {
			if l.place().reach == elements && (l.name == "" || l.to == n.element(i)) {
				sum = add(sum, c.count(l.to, &v.Items[i]))
			}
		}
		if sum > maxSteps {
			return sum
		}
	}
	return sum
}
