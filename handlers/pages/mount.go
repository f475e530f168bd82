// Package pages is the browser's mouth: each handler reads a request, calls one
// use case of market and shows the result, as a page or as a fragment of one.
package pages

import (
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/web"
)

// Pages answers browsers.
type Pages struct {
	Market *market.Market
}

// Routes lists every page and every action of the site; this is the whole of
// it at a glance.
func (p Pages) Routes() []web.Route {
	return join(
		p.doorRoutes(),
		p.accountRoutes(),
		p.teamRoutes(),
		p.catalogueRoutes(),
		p.serviceRoutes(),
		p.declareRoutes(),
		p.submissionRoutes(),
		p.applicationRoutes(),
		p.queueRoutes(),
		p.changeRoutes(),
		p.itemRoutes(),
		p.homeRoutes(),
		p.adminRoutes(),
	)
}

func join(lists ...[]web.Route) (all []web.Route) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}
