package pages

import "strings"

// browser says in a few words what a user agent is, as far as people care.
func browser(agent string) string {
	name, system := "", ""
	for _, known := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	} {
		if strings.Contains(agent, known.mark) {
			name = known.name
			break
		}
	}
	for _, known := range []struct{ mark, name string }{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, known.mark) {
			system = known.name
			break
		}
	}
	switch {
	case name != "" && system != "":
		return name + " on " + system
	case name+system != "":
		return name + system
	case agent != "":
		return agent
	}
	return "unknown browser"
}
