package main

// sittings is the album: the main pages wide and light, some of them dark or
// narrow as well.
var sittings = []sitting{
	{shots: []shot{{name: "sign-in", path: "/sign-in"}}},
	{user: "ana", shots: []shot{
		{name: "home-consumer", path: "/"},
		{name: "changes", path: "/changes"},
	}},
	{user: "bo", shots: []shot{
		{name: "home-owner", path: "/"},
		{name: "queue", path: "/queue"},
		{name: "queue-dark", path: "/queue", dark: true},
		{name: "queue-narrow", path: "/queue", slim: true},
		{name: "change", path: "/queue", link: "/changes/"},
	}},
}
