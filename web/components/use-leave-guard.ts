import { useEffect, useEffectEvent } from 'react'
import { useBlocker } from 'react-router'
import { isSessionEnd } from '../lib/session-end.ts'
import { useConfirm } from './use-confirm.ts'

/**
 * Asks before unsaved work is left: inside the console in a dialog, by closing the tab in the browser's own. `lost`
 * says what leaving costs. A session that ends asks nothing: what is kept of the work is there after signing in again.
 */
export function useLeaveGuard(isUnsaved: () => boolean, onLeave: () => void, lost: string) {
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved() && currentLocation.pathname !== nextLocation.pathname && !isSessionEnd(nextLocation.state),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: one question for each time that leaving is held up
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const dialog = confirm({
      title: '有未保存的修改，确定离开吗？',
      content: lost,
      okText: '离开',
      isDanger: true,
      onOk: () => {
        onLeave()
        blocker.proceed()
      },
      onCancel: () => blocker.reset(),
    })
    return () => dialog.destroy()
  }, [blocker.state])

  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault()
  })
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => warn(event)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => window.removeEventListener('beforeunload', onBeforeUnload)
  }, [])
}
