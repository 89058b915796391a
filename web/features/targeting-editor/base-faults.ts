import { type Outcome, outcome } from '#contract/outcome.ts'
import type { EditorMode } from '#contract/targeting/mode.ts'
import { startOfDay, today } from '../../lib/zone.ts'
import type { BaseField, EditorDefinition } from './editor-definition.ts'
import type { Draft } from './saving/draft.ts'

export type BaseFaults = Partial<Record<BaseField, Outcome>>

/** What is wrong above the tabs. A day that has passed may stay on a package that had it already. */
export function baseFaultsOf<F>(
  editor: EditorDefinition<F>,
  draft: Draft<F>,
  { mode, draft: opened }: { mode: EditorMode; draft: Draft<F> },
): BaseFaults {
  const { targeting_name, dir_id, invalid_time, form } = draft
  const faults: BaseFaults = {}
  for (const { field, reason } of editor.baseFaults({ targeting_name, dir_id }, form)) faults[field] ??= reason
  if (invalid_time === null) faults.invalid_time = outcome('targeting_expiry_missing')
  const isKept = mode === 'edit' && invalid_time === opened.invalid_time
  if (invalid_time !== null && invalid_time < startOfDay(today()) && !isKept) {
    faults.invalid_time = outcome('targeting_expiry_past')
  }
  return faults
}
