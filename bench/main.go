// Command bench measures the yardsticks and the product in one run on
// PostgreSQL and prints the ratios as a table and as JSON (make bench). All
// figures are ratios against something measured in the same run, because
// absolute times are not stable enough to promise.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// figure is one measured size.
type figure struct {
	Items int `json:"items"`

	RawWrite    time.Duration `json:"raw_write_ns"`    // N items, changes and history rows, one statement a table
	BarePreview time.Duration `json:"bare_preview_ns"` // decode, validate, load, compare; 1 % changed

	Submit        time.Duration `json:"submit_ns"`         // N new items over HTTP
	Preview       time.Duration `json:"preview_ns"`        // 1 % changed over HTTP
	SubmitChanged time.Duration `json:"submit_changed_ns"` // 1 % changed over HTTP
	Memory        int64         `json:"memory_above_idle_bytes"`
}

// ratios of a figure, by the names of the targets.
func (f figure) ratios() []ratio {
	return []ratio{
		{"preview, 1 % changed / bare preview", div(f.Preview, f.BarePreview), 3.5, 1.8},
		{"submit of new items / raw write", div(f.Submit, f.RawWrite), 4, 2.2},
		{"submit, 1 % changed / its preview", div(f.SubmitChanged, f.Preview), 1.5, 1.15},
	}
}

type ratio struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Gate  float64 `json:"gate"`
	Goal  float64 `json:"goal"`
}

func div(a, b time.Duration) float64 { return float64(a) / float64(b) }

func main() {
	sizes := flag.String("sizes", "100,1000,10000", "numbers of items to measure")
	runs := flag.Int("runs", 5, "runs of each measurement; the median counts")
	out := flag.String("json", "", "file to write the figures to as JSON")
	flag.Parse()
	if err := run(context.Background(), *sizes, *runs, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, sizes string, runs int, out string) error {
	var figures []figure
	for _, text := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "measuring %d items…\n", n)
		f, err := measure(ctx, n, runs)
		if err != nil {
			return fmt.Errorf("%d items: %w", n, err)
		}
		figures = append(figures, f)
	}
	show(figures)
	if out == "" {
		return nil
	}
	text, err := json.MarshalIndent(figures, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, text, 0o644)
}

// measure takes all figures of one size, each on a database of its own.
func measure(ctx context.Context, n, runs int) (f figure, err error) {
	f.Items = n
	if err := yardsticks(ctx, &f, runs); err != nil {
		return f, fmt.Errorf("yardsticks: %w", err)
	}
	return f, product(ctx, &f, runs)
}

// median runs something several times and returns the middle time.
func median(runs int, once func() (time.Duration, error)) (time.Duration, error) {
	times := make([]time.Duration, runs)
	for i := range times {
		took, err := once()
		if err != nil {
			return 0, err
		}
		times[i] = took
	}
	slices.Sort(times)
	return times[runs/2], nil
}

func show(figures []figure) {
	table := tabwriter.NewWriter(os.Stdout, 2, 2, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "items\traw write\tbare preview\tpreview\tsubmit\tsubmit 1 %\tmemory above idle\t")
	for _, f := range figures {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%d MiB\t\n", f.Items, ms(f.RawWrite), ms(f.BarePreview), ms(f.Preview), ms(f.Submit), ms(f.SubmitChanged), f.Memory>>20)
	}
	fmt.Fprintln(table)
	fmt.Fprintln(table, "items\tratio\tmeasured\tgate\tgoal\t")
	for _, f := range figures {
		for _, r := range f.ratios() {
			fmt.Fprintf(table, "%d\t%s\t%.2f\t%.2f\t%.2f\t\n", f.Items, r.Name, r.Value, r.Gate, r.Goal)
		}
	}
	table.Flush()
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
