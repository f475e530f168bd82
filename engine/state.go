// Package engine is the pure heart of the portal: it turns text into a
// document, a document into a checked declaration, and a declaration into a
// plan of change instances. It has no clock, no database and no network.
package engine

import "slices"

// State is where a change instance stands in its life.
type State string

// The states of a change instance (marketplace section 8).
const (
	Pending   State = "PENDING"
	Approved  State = "APPROVED"
	Rejected  State = "REJECTED"
	Errored   State = "ERRORED"
	Completed State = "COMPLETED"
	Closed    State = "CLOSED"
)

// States lists every state in the order of a change's life.
var States = []State{Pending, Approved, Completed, Errored, Rejected, Closed}

// moves lists every legal step; a state without an entry is final.
var moves = map[State][]State{
	Pending:  {Approved, Rejected},
	Approved: {Completed, Errored},
	Rejected: {Closed},
	Errored:  {Closed},
}

// CanBecome reports whether a change instance may go from s to next (marketplace C1).
func (s State) CanBecome(next State) bool { return slices.Contains(moves[s], next) }

// Next returns the states that may follow s, none if s is final.
func (s State) Next() []State { return moves[s] }

// Open reports whether a change in state s still waits for somebody.
func (s State) Open() bool { return len(moves[s]) > 0 }

// ParseState reads a state as clients write it; NetOrca's clients say ERROR for ERRORED.
func ParseState(text string) (State, bool) {
	if text == "ERROR" {
		return Errored, true
	}
	state := State(text)
	return state, slices.Contains(States, state)
}

// ChangeType says what a change instance does to its service item.
type ChangeType string

// The change types (marketplace G2).
const (
	Create ChangeType = "CREATE"
	Modify ChangeType = "MODIFY"
	Delete ChangeType = "DELETE"
)

// ChangeTypes lists every change type.
var ChangeTypes = []ChangeType{Create, Modify, Delete}

// ChangeKind says why a change instance exists.
type ChangeKind string

// The kinds of change instances (marketplace R4, D1).
const (
	Basic      ChangeKind = "basic"
	Referenced ChangeKind = "referenced"
	Dependent  ChangeKind = "dependent"
)

// RuntimeState is where a service item stands in its life (marketplace C4).
type RuntimeState string

// The runtime states of a service item.
const (
	Requested      RuntimeState = "REQUESTED"
	InService      RuntimeState = "IN_SERVICE"
	Decommissioned RuntimeState = "DECOMMISSIONED"
)

// RuntimeStates lists every runtime state in the order of an item's life.
var RuntimeStates = []RuntimeState{Requested, InService, Decommissioned}

// RuntimeAfter is where an approved CREATE or DELETE takes its item.
func RuntimeAfter(t ChangeType) RuntimeState {
	if t == Delete {
		return Decommissioned
	}
	return InService
}

// ServiceState says what a service accepts (marketplace V4).
type ServiceState string

// The states of a service.
const (
	ServiceInService      ServiceState = "IN_SERVICE"
	ServiceNoNew          ServiceState = "NO_NEW_SERVICE_ITEM"
	ServiceNoModify       ServiceState = "NO_MODIFY_EXISTING_SERVICE_ITEM"
	ServiceDecommissioned ServiceState = "DECOMMISSIONED"
)

// ServiceStates lists every state of a service, the most open first.
var ServiceStates = []ServiceState{ServiceInService, ServiceNoNew, ServiceNoModify, ServiceDecommissioned}

// ChangeState sums up the changes of an item or of an application (marketplace C9).
type ChangeState string

// The change states, the one that asks for most attention first.
const (
	ChangesErrored   ChangeState = "CHANGES_ERRORED"
	ChangesRejected  ChangeState = "CHANGES_REJECTED"
	ChangesPending   ChangeState = "CHANGES_PENDING"
	ChangesApproved  ChangeState = "CHANGES_APPROVED"
	ChangesCompleted ChangeState = "ALL_CHANGES_COMPLETED"
)

// ChangeStates lists every change state, the one that asks for most attention first.
var ChangeStates = []ChangeState{ChangesErrored, ChangesRejected, ChangesPending, ChangesApproved, ChangesCompleted}

// SumUp returns the change state of things whose changes stand in these states.
func SumUp(states ...State) ChangeState {
	for _, step := range []struct {
		any State
		sum ChangeState
	}{{Errored, ChangesErrored}, {Rejected, ChangesRejected}, {Pending, ChangesPending}, {Approved, ChangesApproved}} {
		if slices.Contains(states, step.any) {
			return step.sum
		}
	}
	return ChangesCompleted
}
