package pages

import (
	"context"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/web"
)

func (p Pages) serviceRoutes() []web.Route { return nil }

// ownService reads a service that the actor's team owns.
func (p Pages) ownService(ctx context.Context, who market.Actor, id int64) (models.Service, error) {
	services, _, err := p.Market.Services(ctx, who, market.AsServiceOwner, models.ServiceQuery{ID: id})
	if err == nil && len(services) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return models.Service{}, err
	}
	return services[0], nil
}
