import { App } from 'antd'
import { useEffect, useReducer, useState } from 'react'
import { emptyDocument, openEditor, reduce } from '../state/editor-state.ts'
import { shownTagsOf, withTags } from '../state/shown-tags.ts'
import { useShownTags } from '../state/use-shown-tags.ts'
import { draftOf } from './draft.ts'
import { findWork } from './kept-work.ts'
import { documentOf, type LoadedCrowd } from './load-crowd.ts'

/** Opens a crowd, or a new one in a folder, with unsaved work that the browser kept. */
export function useOpenDocument(crowd: LoadedCrowd | null, advId: number, dirId: number | null) {
  const { message } = App.useApp()
  const crowdId = crowd?.ruleCrowd.id ?? 0
  const [start] = useState(() => {
    const base = crowd ? documentOf(crowd) : emptyDocument({ dirId })
    const kept = findWork(crowdId, advId)
    return { base, kept, ver: kept ? kept.ver : (crowd?.ruleCrowd.ver ?? null) }
  })
  const [state, dispatch] = useReducer(reduce, start, ({ base, kept }) => openEditor(base, kept?.doc))
  /** The version on the server that the work is based on. */
  const [ver, setVer] = useState(start.ver)
  const tags = useShownTags(() => withTags(crowd ? shownTagsOf(crowd.rule) : new Map(), start.kept?.shownTags ?? []))

  // The draft's id comes with the first count; kept work names it.
  const [draftId, setDraftId] = useState(start.kept?.rId ?? null)
  const [draft] = useState(() => draftOf(advId, crowd?.ruleCrowd.rId ?? null, start.kept?.rId ?? null, setDraftId))

  const isRestored = start.kept !== null && start.kept.isPrepared !== true
  useEffect(() => {
    if (isRestored) void message.info({ key: 'restored', content: '已恢复上次未保存的修改，撤销可回到原来的内容' })
  }, [isRestored, message])

  return { advId, crowdId, state, dispatch, ver, setVer, tags, draft, draftId }
}
