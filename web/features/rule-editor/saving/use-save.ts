import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import {
  createRuleCrowd,
  getRule,
  getRuleCrowd,
  getRuleCrowdQuota,
  listRuleCrowds,
  storeRule,
  updateRuleCrowd,
} from '#contract/rule-crowd.ts'
import { type CallError, call, isFault } from '../../../lib/call.ts'
import { keyOf } from '../../../lib/query.ts'
import { endOfDay } from '../../../lib/zone.ts'
import type { CrowdDocument } from '../state/editor-state.ts'
import type { Draft } from './draft.ts'
import { loadCrowd, versionOf } from './load-crowd.ts'
import type { Conflict } from './StaleDialog.tsx'

export interface SavedCrowd {
  id: number
  tagId: number
  name: string
}

interface Saving {
  advId: number
  /** The crowd being edited; null creates one. */
  crowd: Pick<SavedCrowd, 'id' | 'tagId'> | null
  draft: Draft
  onSaved(crowd: SavedCrowd): void
  onNameTaken(msg: string): void
}

/** Stores the rule in its draft and saves the crowd with it. A newer version by another viewer is shown as a conflict. */
export function useSave({ advId, crowd, draft, onSaved, onNameTaken }: Saving) {
  const client = useQueryClient()
  const { message } = App.useApp()
  const [conflict, setConflict] = useState<Conflict | null>(null)

  const save = useMutation<SavedCrowd, CallError, { doc: CrowdDocument; ver: number | null }>({
    meta: { quiet: true },
    mutationFn: ({ doc: { rule, form }, ver }) =>
      draft.use(async (rId) => {
        await call(storeRule, { params: { rId }, body: { advId, rule } })
        const { name } = form
        const body = { rId, name, invalidTime: endOfDay(form.day ?? ''), dirId: form.dirId ?? 0 }
        if (!crowd) return { ...(await call(createRuleCrowd, { body })), name }
        await call(updateRuleCrowd, { params: { id: crowd.id }, body: { ...body, ...(ver === null ? {} : { ver }) } })
        return { ...crowd, name }
      }),
    onSuccess: () => {
      for (const stale of [listRuleCrowds, getRuleCrowd, getRule, getRuleCrowdQuota])
        void client.invalidateQueries({ queryKey: [keyOf(stale)] })
    },
    onError: async (error) => {
      if (isFault(error, 'crowdStale') && crowd) {
        // If their version cannot be loaded, only the message is shown.
        const theirs = await loadCrowd(client, crowd.id).catch(() => null)
        if (theirs) return setConflict({ msg: error.message || '操作失败', theirs: versionOf(theirs) })
      }
      if (isFault(error, 'nameTaken')) onNameTaken(error.message || '操作失败')
      void message.error(error.message || '请求失败')
    },
  })

  return {
    save: (doc: CrowdDocument, ver: number | null) => {
      if (save.isPending) return
      save.mutate(
        { doc, ver },
        {
          // Not called after the editor was left: the viewer is elsewhere by then.
          onSuccess: (saved) => {
            setConflict(null)
            onSaved(saved)
          },
        },
      )
    },
    isSaving: save.isPending,
    conflict,
    closeConflict: () => setConflict(null),
  }
}
