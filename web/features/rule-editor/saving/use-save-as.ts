import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { createRuleCrowd, getRuleCrowdQuota, listRuleCrowds, storeRule } from '#contract/rule-crowd.ts'
import { type CallError, call } from '../../../lib/call.ts'
import { keyOf } from '../../../lib/query.ts'
import { endOfDay } from '../../../lib/zone.ts'
import type { CrowdDocument } from '../state/editor-state.ts'
import { draftOf } from './draft.ts'
import type { SavedCrowd } from './use-save.ts'

/** 另存为: makes another crowd of the editor's content. The crowd that was opened stays as it was saved last. */
export function useSaveAs(advId: number, { rule, form }: CrowdDocument, onSaved: (saved: SavedCrowd) => void) {
  const client = useQueryClient()
  const { message } = App.useApp()
  const [isAsking, setAsking] = useState(false)
  // The editor's own draft belongs to the opened crowd.
  const [draft] = useState(() => draftOf(advId, null, null, () => {}))
  const copying = useMutation<SavedCrowd, CallError, string>({
    meta: { quiet: true },
    mutationFn: (name) =>
      draft.use(async (rId) => {
        await call(storeRule, { params: { rId }, body: { advId, rule } })
        const body = { rId, name, invalidTime: endOfDay(form.day ?? ''), dirId: form.dirId ?? 0 }
        return { ...(await call(createRuleCrowd, { body })), name }
      }),
    onSuccess: (saved, name) => {
      for (const stale of [listRuleCrowds, getRuleCrowdQuota])
        void client.invalidateQueries({ queryKey: [keyOf(stale)] })
      void message.success(`已另存为「${name}」`)
      onSaved(saved)
    },
  })
  return {
    isAsking,
    ask: () => setAsking(true),
    cancel: () => setAsking(false),
    save: copying.mutateAsync,
    isSaving: copying.isPending,
  }
}
