package main

import "github.com/chromedp/chromedp"

// sittings is the album: the main pages wide and light, some of them dark or
// narrow as well.
var sittings = []sitting{
	{shots: []shot{{name: "sign-in", path: "/sign-in"}}},
	{user: "bea", shots: []shot{
		{name: "home", path: "/"},
		{name: "declare", path: "/declare?application=NewApp1", do: declaring},
		{name: "declare-dark", path: "/declare?application=NewApp1", do: declaring, dark: true},
		{name: "declare-narrow", path: "/declare?application=NewApp1", do: scrolled, slim: true},
		{name: "submissions", path: "/submissions"},
		{name: "submission", path: "/submissions", link: "/submissions/"},
		{name: "applications", path: "/apps"},
		{name: "items", path: "/items"},
		{name: "item", path: "/items", link: "/items/"},
		{name: "changes", path: "/changes"},
		{name: "catalogue", path: "/catalogue"},
		{name: "reference", path: "/catalogue", link: "/catalogue/", tab: "?tab=reference"},
	}},
	{user: "bo", shots: []shot{
		{name: "queue", path: "/queue"},
		{name: "queue-dark", path: "/queue", dark: true},
		{name: "queue-narrow", path: "/queue", slim: true},
		{name: "change", path: "/queue", link: "/changes/"},
		{name: "change-dark", path: "/queue", link: "/changes/", dark: true},
		{name: "service", path: "/services", link: "/services/"},
		{name: "service-settings", path: "/services", link: "/services/", tab: "/settings"},
	}},
	{user: "abe", shots: []shot{
		{name: "team", path: "/teams", link: "/teams/"},
	}},
	{user: "dee", shots: []shot{
		{name: "admin", path: "/admin/users"},
	}},
}

// declaring replaces what bea declares, so that the preview has something to
// say: one machine changes, which wakes its load balancer, and one is new.
var declaring = []chromedp.Action[chromedp.Void]{
	appears("#preview-body"),
	chromedp.Evaluate[chromedp.Void](`(() => {
		const text = document.querySelector("textarea[name=declaration]");
		text.value = text.value.replace(/"cpu": 16/, '"cpu": 32').replace(/(\n *)\{(\s*)"name": "CoreVM2"/, '$1{$2"name": "CoreVM3",$2"cpu": 4,$2"memory": 8$1},$1{$2"name": "CoreVM2"');
		text.dispatchEvent(new Event("input", {bubbles: true}));
	})()`),
	appears("#plan li[data-type=CREATE]"),
}

// scrolled shows the preview where it is below the editor.
var scrolled = append(declaring[:len(declaring):len(declaring)], chromedp.Evaluate[chromedp.Void](`document.getElementById("preview-title").scrollIntoView()`))
