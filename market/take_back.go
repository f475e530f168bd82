package market

import (
	"fmt"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
)

// closing says which change SYSTEM closes, and why.
type closing struct {
	change int64
	log    string
}

// takeBack closes, by SYSTEM and by legal moves only, the changes that this
// submission withdraws (marketplace G8) or supersedes (delivery S3). If an
// owner was faster with one of them, the plan is made again.
func (c *carrier) takeBack() error {
	var withdrawn []closing
	for _, w := range c.plan.Withdrawals {
		withdrawn = append(withdrawn, closing{w.Change, fmt.Sprintf("withdrawn: declared again in submission #%d", c.submission.ID)})
	}
	if err := c.close(withdrawn, engine.Pending, models.ClosedWithdrawn); err != nil {
		return err
	}
	superseded := c.merged()
	for _, state := range []engine.State{engine.Pending, engine.Approved} {
		if err := c.close(superseded[state], state, models.ClosedSuperseded); err != nil {
			return err
		}
	}
	return nil
}

// merged lists what is superseded by the state that it was planned in; each
// survivor has the state of the change that it replaces (delivery S1).
func (c *carrier) merged() map[engine.State][]closing {
	merged := map[engine.State][]closing{}
	for i := range c.plan.Changes {
		if change := &c.plan.Changes[i]; change.Supersedes != 0 {
			merged[change.State] = append(merged[change.State], closing{change.Supersedes, fmt.Sprintf("superseded by #%d", c.changeIDs[i])})
		}
	}
	for _, s := range c.plan.Supersessions {
		merged[s.State] = append(merged[s.State], closing{s.Change, "superseded: nothing left to do"})
	}
	return merged
}

// close takes changes from PENDING or APPROVED to CLOSED over the only legal way.
func (c *carrier) close(list []closing, from engine.State, reason models.ClosedReason) error {
	if len(list) == 0 {
		return nil
	}
	between := engine.Rejected
	if from == engine.Approved {
		between = engine.Errored
	}
	changes, logs := make([]int64, len(list)), make([]string, len(list))
	steps := make([]models.ChangeHistory, 0, 2*len(list))
	for i, one := range list {
		changes[i], logs[i] = one.change, one.log
		for _, state := range []engine.State{between, engine.Closed} {
			steps = append(steps, models.ChangeHistory{ChangeID: one.change, State: state, Log: one.log, Reason: "state", ChangedBy: systemName, Via: "system", At: c.at})
		}
	}
	closed, err := models.CloseChanges(c.tx, changes, logs, from, reason)
	if err != nil {
		return err
	}
	if closed != int64(len(changes)) {
		return errMoved
	}
	return models.InsertHistory(c.tx, steps)
}
