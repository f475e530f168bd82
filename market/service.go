package market

import (
	"context"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Services lists the services that the actor's team sees from one side: the
// catalogue, or what it owns.
func (m *Market) Services(ctx context.Context, who Actor, pov Pov, q models.ServiceQuery) ([]models.Service, int64, error) {
	if pov == AsConsumer {
		q.VisibleTo = who.team()
	} else {
		q.OwnedBy = who.team()
	}
	return models.Services(m.read(ctx), q)
}

// Service reads one service that the actor's team may see.
func (m *Market) Service(ctx context.Context, who Actor, id int64) (models.Service, error) {
	return visibleService(m.read(ctx), who, id)
}

func visibleService(tx *gorm.DB, who Actor, id int64) (models.Service, error) {
	services, _, err := models.Services(tx, models.ServiceQuery{ID: id, VisibleTo: who.team()})
	if err != nil {
		return models.Service{}, err
	}
	if len(services) == 0 {
		return models.Service{}, fault.Missing()
	}
	return services[0], nil
}

// SchemaVersions lists the versions of a service that the actor's team may see, newest first.
func (m *Market) SchemaVersions(ctx context.Context, who Actor, id int64) ([]models.ServiceVersion, error) {
	if _, err := m.Service(ctx, who, id); err != nil {
		return nil, err
	}
	return models.VersionsOf(m.read(ctx), id)
}

// Schema compiles the newest schema of a service that the actor's team may see.
func (m *Market) Schema(ctx context.Context, who Actor, id int64) (*schema.Schema, error) {
	service, err := m.Service(ctx, who, id)
	if err != nil {
		return nil, err
	}
	return m.schemaOf(m.read(ctx), service)
}
