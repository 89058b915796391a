import { createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react'
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

type Guards = Set<{ current: LeaveGuard }>

/** The unsaved work of the page and of what is open over it. The router asks one function before it leaves. */
const guards: Guards = new Set()

/** The unsaved work of one part of the page, such as a drawer, which can be left alone. */
const PartContext = createContext<Guards | null>(null)
export const LeavePart = PartContext.Provider

/**
 * Has the viewer asked before unsaved work is left: in a dialog inside the console, in the browser's own when the tab
 * closes. The end of a session does not ask: kept work is restored after signing in again.
 */
export function useLeaveGuard(guard: LeaveGuard) {
  const part = use(PartContext)
  const latest = useRef(guard)
  useEffect(() => {
    latest.current = guard
  })
  useEffect(() => {
    const sets = part ? [guards, part] : [guards]
    for (const one of sets) one.add(latest)
    return () => {
      for (const one of sets) one.delete(latest)
    }
  }, [part])
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

/** Asks whether work may be lost, and ends it. */
function useQuestion() {
  const confirm = useConfirm()
  return (ended: readonly LeaveGuard[], leave: () => void, stay: () => void) =>
    confirm({
      title: '有未保存的修改，确定离开吗？',
      content: ended[0]?.lost,
      okText: '放弃修改',
      cancelText: '继续编辑',
      isDanger: true,
      isSafeFirst: true,
      onOk: () => {
        for (const { onLeave } of ended) onLeave?.()
        leave()
      },
      onCancel: stay,
    })
}

/** Leaves without the router: the whole page, as a frame is left. Asks first where work would be lost. */
export function useLeaving(): (leave: () => void) => void {
  return useLeavingOf(guards)
}

/** The same for a part of the page, whose content stands in `LeavePart` with this `part`. */
export function useLeavingPart(): { part: Guards; leaving: (leave: () => void) => void } {
  const [part] = useState<Guards>(() => new Set())
  return { part, leaving: useLeavingOf(part) }
}

function useLeavingOf(of: Guards) {
  const ask = useQuestion()
  const isAsking = useRef(false)
  return (leave: () => void) => {
    const ended = [...of].map(({ current }) => current).filter(({ isUnsaved }) => isUnsaved())
    if (ended.length === 0) return leave()
    if (isAsking.current) return
    isAsking.current = true
    const answered = (then?: () => void) => () => {
      isAsking.current = false
      then?.()
    }
    ask(ended, answered(leave), answered())
  }
}

/** Asks for all guards. Stands once, around the pages. */
export function useLeaveQuestion() {
  const ask = useQuestion()
  const asked = useRef<LeaveGuard[]>([])
  const blocker = useBlocker((move) => {
    asked.current = endedBy(move)
    return asked.current.length > 0
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once each time navigation is blocked
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const dialog = ask(
      asked.current,
      () => blocker.proceed(),
      () => blocker.reset(),
    )
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
