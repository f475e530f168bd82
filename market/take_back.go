package market

import (
	"fmt"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
)

// takeBack closes, by SYSTEM and by legal moves only, the changes that this
// submission withdraws (marketplace G8) or supersedes (delivery S3). If an
// owner was faster with one of them, the plan is made again.
func (c *carrier) takeBack() error {
	withdrawn := make([]int64, len(c.plan.Withdrawals))
	for i, w := range c.plan.Withdrawals {
		withdrawn[i] = w.Change
	}
	log := fmt.Sprintf("withdrawn: declared again in submission #%d", c.submission.ID)
	if err := c.close(withdrawn, engine.Pending, log, models.ClosedWithdrawn); err != nil {
		return err
	}
	return c.closeSuperseded()
}

// closeSuperseded closes merged changes. Survivors are numbered later, so their
// numbers are written once they exist.
func (c *carrier) closeSuperseded() error {
	pending, approved, err := models.SplitByState(c.tx, c.superseded())
	if err != nil {
		return err
	}
	log := fmt.Sprintf("superseded by submission #%d", c.submission.ID)
	if err := c.close(pending, engine.Pending, log, models.ClosedSuperseded); err != nil {
		return err
	}
	return c.close(approved, engine.Approved, log, models.ClosedSuperseded)
}

// close takes changes from PENDING or APPROVED to CLOSED over the only legal way.
func (c *carrier) close(changes []int64, from engine.State, log string, reason models.ClosedReason) error {
	if len(changes) == 0 {
		return nil
	}
	between := engine.Rejected
	if from == engine.Approved {
		between = engine.Errored
	}
	closed, err := models.CloseChanges(c.tx, changes, from, log, reason, between == engine.Rejected)
	if err != nil {
		return err
	}
	if closed != int64(len(changes)) {
		return errMoved
	}
	steps := make([]models.ChangeHistory, 0, 2*len(changes))
	for _, id := range changes {
		for _, state := range []engine.State{between, engine.Closed} {
			steps = append(steps, models.ChangeHistory{ChangeID: id, State: state, Log: log, Reason: "state", ChangedBy: systemName, Via: "system", At: c.at})
		}
	}
	return models.InsertHistory(c.tx, steps)
}
