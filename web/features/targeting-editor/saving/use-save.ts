import { App } from 'antd'
import { useState } from 'react'
import type { Outcome } from '#contract/outcome.ts'
import type { FaultPlace } from '#contract/targeting/read-wire.ts'
import { addTargeting, getTargeting, listTargetings, updateTargeting } from '#contract/targeting-package.ts'
import { isCallError, isFault } from '../../../lib/call.ts'
import { useOnce } from '../../../lib/once.ts'
import { useAction } from '../../../lib/query.ts'
import type { EditorDefinition, FieldFault } from '../editor-definition.ts'
import type { Draft, SavedVersion } from './draft.ts'

/** Somebody else saved the package meanwhile. */
export interface Conflict {
  /** Who saved it when. */
  msg: string
  theirs: SavedVersion & { ver: number }
}

interface Given<F> {
  editor: EditorDefinition<F>
  accountId: number
  /** The package that is changed; null for a new one. */
  id: number | null
  onSaved: () => void
  /** The server refused a field of a tab. */
  onRefused: (fault: FieldFault) => void
}

interface Body {
  targeting_name: string
  dir_id: number
  invalid_time: number
  advertiser_id: number
  targeting: Record<string, unknown>
}

/** The field in a tab that a save was refused for. */
function refusedField(error: unknown): FieldFault | null {
  if (!isCallError(error) || !isFault(error, 'badInput') || error.data === null) return null
  // Its outcome is one of the contract's.
  return { ...(error.data as FaultPlace), reason: error.outcome as Outcome }
}

/**
 * Saves a package. A name that is taken is told at its field, what is wrong in a tab there, somebody else's save or
 * deletion in a dialog, anything else in a popup.
 */
export function useSave<F>({ editor, accountId, id, onSaved, onRefused }: Given<F>) {
  const { message } = App.useApp()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [takenName, setTakenName] = useState<string | null>(null)
  const [isGone, setGone] = useState(false)
  const quiet = { meta: { quiet: true } }
  const stale = [listTargetings, getTargeting]
  const adding = useAction(addTargeting, stale, quiet)
  const updating = useAction(updateTargeting, stale, quiet)

  const write = useOnce(async (body: Body, ver: number | null, isNew: boolean) => {
    if (id === null || isNew) await adding.mutateAsync({ body })
    else await updating.mutateAsync({ body: { ...body, id, ...(ver !== null && { ver }) } })
    message.success({ key: 'saved', content: '保存成功' })
    onSaved()
  })

  async function save({ targeting_name, dir_id, invalid_time, form }: Draft<F>, ver: number | null, isNew = false) {
    if (dir_id === null || invalid_time === null) return
    const body = {
      targeting_name,
      dir_id,
      invalid_time,
      advertiser_id: accountId,
      targeting: editor.savedTargeting(form),
    }
    try {
      await write(body, ver, isNew)
    } catch (error) {
      if (isFault(error, 'packageStale')) {
        const { message: msg, data } = error as Error & { data: { saved: Conflict['theirs'] } }
        return setConflict({ msg, theirs: data.saved })
      }
      if (id !== null && !isNew && isFault(error, 'notFound')) return setGone(true)
      const refused = refusedField(error)
      if (refused) return onRefused(refused)
      if (isFault(error, 'nameTaken')) setTakenName(targeting_name)
      message.error((error as Error).message || '保存失败')
    }
  }

  return {
    save,
    /** Saves what is left of a package that somebody deleted as a new one. */
    saveAsNew: (draft: Draft<F>) => {
      setGone(false)
      return save(draft, null, true)
    },
    isGone,
    closeGone: () => setGone(false),
    isSaving: adding.isPending || updating.isPending,
    conflict,
    closeConflict: () => setConflict(null),
    takenName,
  }
}
