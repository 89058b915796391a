import { useEffect, useEffectEvent, useRef } from 'react'
import { type Location, useBlocker } from 'react-router'
import { switchOf } from '../lib/advertiser-switch.ts'
import { isSessionEnd } from '../lib/session-end.ts'
import { useConfirm } from './use-confirm.ts'

interface LeaveGuard {
  isUnsaved: () => boolean
  onLeave?: () => void
  /** A sentence that says what would be lost. */
  lost: string
  /** The work is one advertiser's: another one in the top bar would end it as well. */
  isOneAdvertisers?: boolean
  /** The work is in a dialog over the page, so only the browser's own buttons leave it by mistake. */
  isOverPage?: boolean
}

/** The unsaved work of the page and of what is open over it. The router asks one function before it leaves. */
const guards = new Set<{ current: LeaveGuard }>()

/**
 * Has the viewer asked before unsaved work is left: in a dialog inside the console, in the browser's own when the tab
 * closes. The end of a session does not ask: kept work is restored after signing in again.
 */
export function useLeaveGuard(guard: LeaveGuard) {
  const latest = useRef(guard)
  useEffect(() => {
    latest.current = guard
  })
  useEffect(() => {
    guards.add(latest)
    return () => {
      guards.delete(latest)
    }
  }, [])
}

interface Move {
  currentLocation: Location
  nextLocation: Location
  historyAction: 'POP' | 'PUSH' | 'REPLACE'
}

function endedBy({ currentLocation, nextLocation, historyAction }: Move): LeaveGuard[] {
  if (isSessionEnd(nextLocation.state)) return []
  const isOtherPage = currentLocation.pathname !== nextLocation.pathname
  const isSwitch = switchOf(nextLocation.state) !== null && nextLocation.key !== currentLocation.key
  return [...guards]
    .map(({ current }) => current)
    .filter(({ isOverPage }) => !isOverPage || historyAction === 'POP')
    .filter(({ isUnsaved, isOneAdvertisers }) => (isOtherPage || (isSwitch && isOneAdvertisers)) && isUnsaved())
}

/** Asks for all guards. Stands once, around the pages. */
export function useLeaveQuestion() {
  const confirm = useConfirm()
  const asked = useRef<LeaveGuard[]>([])
  const blocker = useBlocker((move) => {
    asked.current = endedBy(move)
    return asked.current.length > 0
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once each time navigation is blocked
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const ended = asked.current
    const dialog = confirm({
      title: '有未保存的修改，确定离开吗？',
      content: ended[0]?.lost,
      okText: '放弃修改',
      cancelText: '继续编辑',
      isDanger: true,
      isSafeFirst: true,
      onOk: () => {
        for (const { onLeave } of ended) onLeave?.()
        blocker.proceed()
      },
      onCancel: () => blocker.reset(),
    })
    return () => dialog.destroy()
  }, [blocker.state])

  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if ([...guards].some(({ current }) => !current.isOverPage && current.isUnsaved())) event.preventDefault()
  })
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => warn(event)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => window.removeEventListener('beforeunload', onBeforeUnload)
  }, [])
}
