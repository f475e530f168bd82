package pages

import "github.com/portolan/portolan/web"

func (p Pages) catalogueRoutes() []web.Route { return nil }
