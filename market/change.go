package market

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Move is what an owner reports back on a change instance: any of its parts,
// at least one (marketplace C5).
type Move struct {
	State        engine.State // "" leaves the state as it is
	Log          *string      // nil leaves the log as it is; at most 10,000 characters
	DeployedItem []byte       // a JSON object; nil attaches none
	Version      int64        // of the change as its owner saw it; 0 does not care
}

// MaxLog bounds a log, in characters.
const MaxLog = 10_000

func (move Move) check() error {
	if move.State == "" && move.Log == nil && move.DeployedItem == nil {
		return fault.New(fault.Invalid, "Send at least one of state, log and deployed_item.")
	}
	if move.Log != nil {
		return checkText("log", *move.Log, MaxLog)
	}
	return nil
}

// MoveChange takes a step on a change instance on behalf of the team that
// processes it: all of the step, or nothing (marketplace C1 to C8).
func (m *Market) MoveChange(ctx context.Context, who Actor, id int64, move Move) (models.ChangeInstance, error) {
	seen, err := models.OwnedChange(m.read(ctx), who.TeamID, id)
	if err != nil {
		return seen, err
	}
	if err := who.mustWrite(); err != nil {
		return seen, err
	}
	if err := move.check(); err != nil {
		return seen, err
	}
	deployed, err := readDeployed(move.DeployedItem)
	if err != nil {
		return seen, err
	}
	if deployed != nil && seen.IsDependant() {
		return seen, fault.New(fault.Forbidden, "Only the team that owns the service attaches deployed items.")
	}
	var change models.ChangeInstance
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		change, err = lockChange(tx, seen)
		if err != nil {
			return err
		}
		if err := unmoved(tx, seen, change, move); err != nil {
			return err
		}
		if err := stepChange(tx, who, &change, move); err != nil {
			return err
		}
		if deployed != nil {
			if _, _, err := attach(tx, who, change.ServiceItemID, change.ConsumerTeamID, &change.ID, deployed); err != nil {
				return err
			}
		}
		return models.Refresh(tx, []int64{change.ServiceItemID})
	})
	return change, err
}

// lockChange holds the item of a change and reads the change as it stands then (trust D3).
func lockChange(tx *gorm.DB, seen models.ChangeInstance) (models.ChangeInstance, error) {
	if err := models.LockServiceItems(tx, []int64{seen.ServiceItemID}); err != nil {
		return seen, err
	}
	return models.OwnedChange(tx, seen.OwnerID, seen.ID)
}

// unmoved refuses a step on a change that somebody else has moved since its
// owner saw it (marketplace C6).
func unmoved(tx *gorm.DB, seen, change models.ChangeInstance, move Move) error {
	if seen.State == change.State && (move.Version == 0 || move.Version == change.Version) {
		return nil
	}
	return lostRace(tx, change)
}

func lostRace(tx *gorm.DB, change models.ChangeInstance) error {
	text := fmt.Sprintf("Somebody moved this change to %s meanwhile.", change.State)
	if history, err := models.HistoryOf(tx, change.ID); err == nil && len(history) > 0 {
		text = fmt.Sprintf("%s moved this to %s %s ago.", history[0].ChangedBy, word(change.State), since(history[0].At))
		if history[0].Reason == "log" {
			text = fmt.Sprintf("%s wrote a log for this %s ago.", history[0].ChangedBy, since(history[0].At))
		}
	}
	return &fault.Error{Kind: fault.Conflict, Code: "lost_race", Text: text}
}

// word writes a state as people read it: Approved.
func word(state engine.State) string { return string(state[:1]) + strings.ToLower(string(state[1:])) }

// since writes how long ago something was: 12 s, 3 min, 2 h, 4 d.
func since(at time.Time) string {
	switch d := models.Now().Sub(at); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d d", int(d.Hours()/24))
	}
}

// stepChange moves a change, or only takes its log if it stands there already (marketplace C2).
func stepChange(tx *gorm.DB, who Actor, change *models.ChangeInstance, move Move) error {
	if move.State == "" || move.State == change.State {
		return relog(tx, who, change, move.Log)
	}
	if !change.State.CanBecome(move.State) {
		return fault.Field("state", "A change instance cannot go from %s to %s.", change.State, move.State)
	}
	if err := mayByHand(tx, who, change, move.State); err != nil {
		return err
	}
	from := change.State
	change.State, change.Version, change.Modified = move.State, change.Version+1, models.Now()
	if move.Log != nil {
		change.Log = *move.Log
	}
	change.Lapsed = move.State == engine.Rejected || (move.State == engine.Closed && from == engine.Rejected)
	if move.State == engine.Closed {
		change.ClosedReason = models.ClosedErrored
		if from == engine.Rejected {
			change.ClosedReason = models.ClosedRejected
		}
	}
	won, err := models.MoveChange(tx, change.ID, from, map[string]any{
		"state": change.State, "log": change.Log, "lapsed": change.Lapsed, "closed_reason": change.ClosedReason,
		"modified": change.Modified,
	})
	if err != nil {
		return err
	}
	if !won {
		return lostRace(tx, *change)
	}
	if err := affect(tx, change); err != nil {
		return err
	}
	return remember(tx, who, change, "state", move.Log)
}

// mayByHand refuses people where a service wants automation alone (marketplace C8).
func mayByHand(tx *gorm.DB, who Actor, change *models.ChangeInstance, next engine.State) error {
	if who.Automation() || next == engine.Closed {
		return nil
	}
	service, err := models.ServiceByID(tx, change.ServiceID)
	if err != nil {
		return err
	}
	deciding := next == engine.Approved || next == engine.Rejected
	if deciding && !service.AllowManualApproval {
		return fault.New(fault.Forbidden, "Automation only: changes of %s are approved and rejected with an API key.", service.Name)
	}
	if !deciding && !service.AllowManualCompletion {
		return fault.New(fault.Forbidden, "Automation only: changes of %s are completed with an API key.", service.Name)
	}
	return nil
}

// affect moves the item where the owner's own lane does (marketplace C4, D2).
func affect(tx *gorm.DB, change *models.ChangeInstance) error {
	if change.IsDependant() || change.State != engine.Approved || change.ChangeType == engine.Modify {
		return nil
	}
	return models.MoveItems(tx, []int64{change.ServiceItemID}, engine.RuntimeAfter(change.ChangeType))
}

// relog takes a new log for a change that stays where it is.
func relog(tx *gorm.DB, who Actor, change *models.ChangeInstance, log *string) error {
	if log == nil || *log == change.Log {
		return nil
	}
	change.Log, change.Version, change.Modified = *log, change.Version+1, models.Now()
	if _, err := models.MoveChange(tx, change.ID, change.State, map[string]any{"log": *log, "modified": change.Modified}); err != nil {
		return err
	}
	return remember(tx, who, change, "log", log)
}

// remember writes a step into the history, the audit log and the outbox.
func remember(tx *gorm.DB, who Actor, change *models.ChangeInstance, reason string, log *string) error {
	step := models.ChangeHistory{
		ChangeID: change.ID, State: change.State, Reason: reason, ChangedBy: who.Name(), ChangedByTeam: who.TeamName, Via: who.Via, At: models.Now(),
	}
	if log != nil {
		step.Log = *log
	}
	if err := tx.Create(&step).Error; err != nil {
		return err
	}
	if err := announce(tx, "change_instance."+strings.ToLower(string(change.State)), change.ID, change.ConsumerTeamID, change.OwnerID); err != nil {
		return err
	}
	return record(tx, who, "change_instance."+reason, object("change_instance", change.ID), string(change.State))
}

// MaxBulk is how many changes one bulk request may move (marketplace C10).
const MaxBulk = 500

// BulkTarget is one change of a bulk request, with the version its owner saw.
type BulkTarget struct {
	ID      int64
	Version int64 // 0 does not care
}

// BulkResult says what became of one change of a bulk request.
type BulkResult struct {
	Change models.ChangeInstance
	ID     int64
	Err    error // nil if it was moved
}

// MoveChanges moves many changes; each succeeds or fails on its own (marketplace C10).
func (m *Market) MoveChanges(ctx context.Context, who Actor, targets []BulkTarget, move Move) ([]BulkResult, error) {
	if len(targets) == 0 {
		return nil, fault.Field("ids", "Name at least one change.")
	}
	if len(targets) > MaxBulk {
		return nil, fault.Field("ids", "One request may move at most %d changes; this one names %d.", MaxBulk, len(targets))
	}
	if err := who.mustWrite(); err != nil {
		return nil, err
	}
	who.Via, who.Once = "bulk", nil
	results := make([]BulkResult, len(targets))
	for i, target := range targets {
		move.Version = target.Version
		change, err := m.MoveChange(ctx, who, target.ID, move)
		if err != nil && fault.Of(err) == nil {
			return nil, err
		}
		results[i] = BulkResult{Change: change, ID: target.ID, Err: err}
	}
	return results, nil
}

// Pov says from which side a team looks: at what it declared, or at what is
// routed to it.
type Pov string

// The points of view.
const (
	AsConsumer     Pov = "consumer"
	AsServiceOwner Pov = "serviceowner"
)

// Changes lists the change instances that the actor's team sees from one side.
func (m *Market) Changes(ctx context.Context, who Actor, pov Pov, q models.ChangeQuery) ([]models.ChangeInstance, int64, error) {
	if pov == AsConsumer {
		q.Consumer = who.team()
	} else {
		q.Owner = who.team()
	}
	return models.Changes(m.read(ctx), q)
}

// Change reads one change instance that the actor's team may see; an empty pov
// means from either side.
func (m *Market) Change(ctx context.Context, who Actor, pov Pov, id int64) (models.ChangeInstance, error) {
	change, err := models.ChangeByID(m.read(ctx), who.TeamID, id)
	if err != nil {
		return change, err
	}
	if (pov == AsConsumer && change.ConsumerTeamID != who.TeamID) || (pov == AsServiceOwner && change.OwnerID != who.TeamID) {
		return models.ChangeInstance{}, fault.Missing()
	}
	return change, nil
}

// History reads the history of a change that the actor's team may see, newest first.
func (m *Market) History(ctx context.Context, who Actor, pov Pov, id int64) ([]models.ChangeHistory, error) {
	if _, err := m.Change(ctx, who, pov, id); err != nil {
		return nil, err
	}
	return models.HistoryOf(m.read(ctx), id)
}
