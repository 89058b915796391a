import { useEffect, useEffectEvent } from 'react'
import { useBlocker } from 'react-router'
import { switchOf } from '../lib/advertiser-switch.ts'
import { isSessionEnd } from '../lib/session-end.ts'
import { useConfirm } from './use-confirm.ts'

interface LeaveGuard {
  isUnsaved: () => boolean
  onLeave: () => void
  /** A sentence that says what would be lost. */
  lost: string
  /** The work is one advertiser's: another one in the top bar would end it as well. */
  isOneAdvertisers: boolean
}

/**
 * Asks before unsaved work is left: in a dialog inside the console, in the browser's own when the tab closes. The end
 * of a session does not ask: kept work is restored after signing in again.
 */
export function useLeaveGuard({ isUnsaved, onLeave, lost, isOneAdvertisers }: LeaveGuard) {
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved() &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (isOneAdvertisers && switchOf(nextLocation.state) !== null && nextLocation.key !== currentLocation.key)) &&
      !isSessionEnd(nextLocation.state),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once each time navigation is blocked
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const dialog = confirm({
      title: '有未保存的修改，确定离开吗？',
      content: lost,
      okText: '放弃修改',
      cancelText: '继续编辑',
      isDanger: true,
      isSafeFirst: true,
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
