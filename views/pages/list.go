package pages

import "github.com/portolan/portolan/views/components"

// filterForm is the bar without what is already set: that stands with the list,
// which is replaced while somebody types into the bar.
func filterForm(f components.Filters) components.Filters {
	f.Holds, f.Active, f.Notice = len(f.Active), nil, ""
	return f
}

// matching leads to the selection of everything that matches, where there is
// more than one page.
func (l ChangeList) matching() string {
	if l.All != nil || l.Paging.Prev == "" && l.Paging.Next == "" {
		return ""
	}
	if l.From == "" {
		return l.Path + "?all=1"
	}
	return l.Path + "?" + l.From + "&all=1"
}
