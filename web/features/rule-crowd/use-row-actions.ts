import { useMemo } from 'react'
import { useSame } from '../../lib/use-same.ts'
import type { RowActions } from './more-actions.ts'

/** The same object in every rendering, so that selecting one row does not draw the others anew. */
export function useRowActions(given: RowActions): RowActions {
  const copy = useSame(given.copy)
  const compute = useSame(given.compute)
  const remove = useSame(given.remove)
  const move = useSame(given.move)
  const push = useSame(given.push)
  const audiences = useSame(given.audiences)
  const profile = useSame(given.profile)
  const exportPeople = useSame(given.exportPeople)
  const updates = useSame(given.updates)
  const control = useSame(given.control)
  return useMemo(
    () => ({ copy, compute, remove, move, push, audiences, profile, exportPeople, updates, control }),
    [copy, compute, remove, move, push, audiences, profile, exportPeople, updates, control],
  )
}
