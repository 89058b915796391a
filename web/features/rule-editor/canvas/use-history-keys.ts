import { useEffect, useEffectEvent } from 'react'
import { type History, historyOf } from './keys.ts'

/** Undo, redo and save by keyboard, wherever the focus is; text fields keep their own undo. */
export function useHistoryKeys(actions: Record<History, () => void>) {
  const run = useEffectEvent((command: History) => actions[command]())
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = historyOf(event)
      if (!command || document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null
      if (isTyping && command !== 'save') return
      event.preventDefault()
      run(command)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
