import type { CustomChild } from './audience.ts'
import type { CustomCrowd } from './custom-crowd.ts'
import { type Outcome, outcome } from './outcome.ts'

/** Why an action on a row of the list is refused now; null when it is allowed. */
export interface Refusals {
  edit: Outcome | null
  move: Outcome | null
  push: Outcome | null
  view: Outcome | null
  delete: Outcome | null
}

const statusBarsEdit = ({ status }: Pick<CustomCrowd | CustomChild, 'status'>): Outcome | null =>
  status === 'available' || status === 'frozen' ? null : outcome('crowd_not_editable', { status })

/**
 * A crowd or child can be edited while it is available or frozen, and no child of the crowd is being computed. A child
 * with a paused push does not count as being computed: it may wait days for a new authorisation.
 */
export function editRefusal(crowd: Pick<CustomCrowd, 'status' | 'audiences'>): Outcome | null {
  const barred = statusBarsEdit(crowd)
  if (barred) return barred
  const busy = crowd.audiences.find((child) => child.status === 'computing' && !child.push?.is_paused)
  return busy ? outcome('crowd_not_editable_for_child', { child: busy.adv_name }) : null
}

/** A push uses the version in force, which stays in force while a newer one is computed. */
function pushRefusal(crowd: CustomCrowd): Outcome | null {
  if (crowd.cnt_type.length === 0) return outcome('type_without_platform')
  if (crowd.user_count === null) {
    return outcome(crowd.status === 'computing' ? 'source_computing' : 'source_failed_before')
  }
  return crowd.user_count === 0 ? outcome('source_without_identifiers') : null
}

export const crowdRefusals = (crowd: CustomCrowd): Refusals => ({
  edit: editRefusal(crowd),
  move: null,
  push: pushRefusal(crowd),
  view: outcome('crowd_viewed_by_children'),
  delete: crowd.audiences.length > 0 ? outcome('crowd_has_children', { count: crowd.audiences.length }) : null,
})

/** Editing a child edits its crowd, so the change reaches all children of the crowd. */
export const childRefusals = (crowd: CustomCrowd, child: CustomChild): Refusals => ({
  edit: statusBarsEdit(child) ?? editRefusal(crowd),
  move: outcome('child_moves_with_crowd'),
  push: repushRefusal(child) ?? pushRefusal(crowd),
  view: null,
  delete: childDeleteRefusal(child),
})

/** The same for children of uploaded crowds and of rule crowds. */
export const repushRefusal = ({ push }: Pick<CustomChild, 'push'>): Outcome | null =>
  push ? outcome('child_pushing') : null

export const childDeleteRefusal = ({ push }: Pick<CustomChild, 'push'>): Outcome | null =>
  push && !push.is_paused ? outcome('child_pushing_not_deletable') : null

/** The size to show; a child that is being computed or has failed has none. */
export const childSize = (child: CustomChild): number | null =>
  child.status === 'computing' || child.status === 'failed' ? null : child.user_count

/** Whether a running computation or push will change the row. */
export const isUnderWay = (crowd: CustomCrowd): boolean =>
  crowd.status === 'computing' ||
  crowd.audiences.some((child) => child.status === 'computing' || (child.push !== null && !child.push.is_paused))
