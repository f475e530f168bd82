package schema

import "github.com/portolan/portolan/engine/value"

// Metadata is what a schema says about the handling of its service.
type Metadata struct {
	ApprovalRequired   *bool  // nil if the schema says nothing
	SupersedeUnfetched bool   // metadata.delivery.supersede is "unfetched"
	UnorderedArrays    bool   // metadata.compare.arrays is "unordered"
	MonthlyCost        string // the number as written, "" if none
	CostPerChange      string // likewise
}

// Metadata reads the schema's metadata.
func (s *Schema) Metadata() Metadata {
	return Metadata{
		ApprovalRequired:   s.flag("approval_required"),
		SupersedeUnfetched: s.option("delivery.supersede") == "unfetched",
		UnorderedArrays:    s.option("compare.arrays") == "unordered",
		MonthlyCost:        s.option("monthly_cost"),
		CostPerChange:      s.option("cost_per_change"),
	}
}

func (s *Schema) option(path string) string {
	if v := dig(s.root, "metadata."+path); v != nil {
		return v.Text
	}
	return ""
}

func (s *Schema) flag(path string) *bool {
	v := dig(s.root, "metadata."+path)
	if v == nil || v.Kind != value.Bool {
		return nil
	}
	yes := v.Text == "true"
	return &yes
}
