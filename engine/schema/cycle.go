package schema

import (
	"fmt"
	"math"
	"strings"
)

// checkReferences refuses each $ref that leads nowhere, that leads back without
// consuming input (trust S4), and a schema that is too dear to apply (trust S3).
func checkReferences(g *graph, found *findings) {
	before := len(found.problems)
	for _, n := range g.nodes {
		checkRef(n, found)
	}
	if len(found.problems) > before {
		return
	}
	c := costs{of: map[*node]int{}, open: map[*node]bool{}, found: found}
	for _, n := range g.nodes {
		c.cost(n)
	}
	if len(found.problems) == before {
		c.check(g)
	}
}

func checkRef(n *node, found *findings) {
	v, ok := n.get("$ref")
	ref, isText := n.text("$ref")
	switch {
	case !ok || !isText || n.ref != nil: // a $ref that is no string is the meta-schema's to refuse
	case !strings.HasPrefix(ref, "#"):
		found.refuse("trust S1", join(n.pointer, "$ref"), v.At, "$ref must begin with #: a schema cannot refer to another document")
	default:
		found.refuse("S2", join(n.pointer, "$ref"), v.At, "$ref %s does not lead to a schema", ref)
	}
}

// costs counts how many sub-schemas are applied to one value, by dynamic
// programming over the graph.
type costs struct {
	of    map[*node]int
	open  map[*node]bool // on the way down, to find cycles
	found *findings
}

func (c *costs) cost(n *node) int {
	if cost, ok := c.of[n]; ok {
		return cost
	}
	if c.open[n] {
		c.found.refuse("trust S4", n.pointer, n.value.At, "the $refs lead from #%s back to itself without stepping into the value, so checking it would never end", n.pointer)
		return 0
	}
	c.open[n] = true
	sum := 1
	for _, s := range n.same(every) {
		sum = add(sum, c.cost(s))
	}
	delete(c.open, n)
	c.of[n] = sum
	return sum
}

func (c *costs) check(g *graph) {
	worst := g.root()
	for _, n := range g.nodes {
		if c.of[n] > c.of[worst] {
			worst = n
		}
	}
	if c.of[worst] > maxCost {
		c.found.refuse("trust S3", worst.pointer, worst.value.At,
			"checking one value here takes %s steps; at most %d are allowed. The dearest path is %s", steps(c.of[worst]), maxCost, c.path(worst))
	}
}

// path follows the dearest step from n as far as one can read.
func (c *costs) path(n *node) string {
	out := "#" + n.pointer
	for hop := 0; hop < 6; hop++ {
		var worst *node
		for _, s := range n.same(every) {
			if worst == nil || c.of[s] > c.of[worst] {
				worst = s
			}
		}
		if worst == nil {
			return out
		}
		n, out = worst, out+" → #"+worst.pointer
	}
	return out + " → …"
}

func steps(n int) string {
	if n == math.MaxInt {
		return "endless"
	}
	return fmt.Sprint(n)
}

// add and times stay at the greatest number instead of going round.
func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func times(a, b int) int {
	if a != 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}
