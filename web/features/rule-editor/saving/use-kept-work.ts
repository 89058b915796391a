import { useEffect, useRef } from 'react'
import { subTagsOf } from '#contract/rule.ts'
import { useLeaveGuard } from '../../../components/use-leave-guard.ts'
import { type ShownTags, shownIn } from '../state/shown-tags.ts'
import { findWork, forgetWork, type KeptWork, keepWork } from './kept-work.ts'

interface Work extends Omit<KeptWork, 'shownTags'> {
  unsaved: boolean
  shownTags: ShownTags
}

/** Keeps unsaved work over a reload, and asks before it is left. */
export function useKeptWork({ crowdId, advId, unsaved, doc, ver, rId, shownTags }: Work) {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    if (!unsaved) {
      if (findWork(crowdId, advId)) forgetWork()
      return
    }
    const used = subTagsOf(doc.rule).map((tag) => shownIn(shownTags, tag))
    keepWork({ advId, crowdId, rId, ver, doc, shownTags: used })
  }, [crowdId, advId, unsaved, doc, ver, rId, shownTags])
  useLeaveGuard({
    isUnsaved: () => unsaved && !isDone.current,
    onLeave: () => {
      isDone.current = true
      forgetWork()
    },
    lost: '离开后，这次对名称、失效时间、存储路径和规则的修改将丢失。',
    // A saved crowd stays open: it is its own advertiser's, whichever the top bar shows.
    isOneAdvertisers: crowdId === 0,
  })
  return {
    /** After saving: drops the kept work and leaves without asking, unless the viewer has already left. */
    finish: (leave: () => void) => {
      if (isDone.current) return
      isDone.current = true
      forgetWork()
      leave()
    },
  }
}
