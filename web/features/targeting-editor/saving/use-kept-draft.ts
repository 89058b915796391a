import { useEffect, useRef } from 'react'
import { useLeaveGuard } from '../../../components/use-leave-guard.ts'
import { forgetDraft, type KeptDraft, keepDraft } from './kept-draft.ts'

/** Keeps unsaved work over a reload, and asks before it is left. */
export function useKeptDraft<F>({ at, ver, draft, givenUp, isUnsaved }: KeptDraft<F> & { isUnsaved: boolean }) {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    if (isUnsaved) keepDraft({ at, ver, draft, givenUp })
    else forgetDraft()
  }, [at, ver, draft, givenUp, isUnsaved])
  useLeaveGuard({
    isUnsaved: () => isUnsaved && !isDone.current,
    onLeave: () => {
      isDone.current = true
      forgetDraft()
    },
    lost: '离开后，这次对名称、失效时间、存储路径和定向内容的修改将丢失。',
  })
  return {
    /** After saving: drops the kept work and leaves without asking, unless the viewer has left already. */
    finish: (leave: () => void) => {
      if (isDone.current) return
      isDone.current = true
      forgetDraft()
      leave()
    },
  }
}
