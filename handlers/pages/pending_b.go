package pages

import "github.com/portolan/portolan/web"

func (p Pages) submissionRoutes() []web.Route  { return nil }
func (p Pages) applicationRoutes() []web.Route { return nil }
func (p Pages) itemRoutes() []web.Route        { return nil }
