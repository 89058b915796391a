import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { codeArrived } from './missing-code.ts'
import { pointerReleased } from './pointer-released.ts'

/** How long no call may be under way before the page counts as shown, ms. */
const QUIET_MS = 150
/** With calls that take longer than this, ms, the code is fetched beside them. */
const AT_MOST_MS = 3_000

/** Runs once the browser has nothing to draw, as a page that is still being drawn has made no calls yet. Returns how to give up. */
function onceIdle(run: () => void): () => void {
  // Older Safari does not say when it is idle.
  if (typeof requestIdleCallback === 'undefined') {
    run()
    return () => {}
  }
  const waiting = requestIdleCallback(run, { timeout: AT_MOST_MS })
  return () => cancelIdleCallback(waiting)
}

/** Code that a page works without. */
export interface AfterPage<Module> {
  load(): Promise<Module>
  arrived: Module | null
}

export const afterPage = <Module,>(load: () => Promise<Module>): AfterPage<Module> => ({ load, arrived: null })

/** Keeps the code, so that other places have it at once. */
async function fetchCode<Module>(code: AfterPage<Module>): Promise<Module> {
  try {
    code.arrived ??= await code.load()
    codeArrived(code, true)
    await pointerReleased()
    return code.arrived
  } catch (error) {
    codeArrived(code, false)
    throw error
  }
}

/** Fetches the code once the page has its data, or its calls take long; null until it has arrived. */
export function useAfterPage<Module>(code: AfterPage<Module>): Module | null {
  const [module, setModule] = useState(() => code.arrived)
  const client = useQueryClient()
  useEffect(() => {
    if (module) return
    const fetch = () =>
      void fetchCode(code).then(
        (loaded) => setModule(() => loaded),
        () => {},
      )
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopResting: (() => void) | undefined
    const rest = () => {
      stopResting = onceIdle(fetch)
    }
    const cancel = () => {
      clearTimeout(timer)
      stopResting?.()
    }
    let wasQuiet: boolean | null = null
    // What did not arrive is tried again after the next call.
    const look = () => {
      const isQuiet = client.isFetching() === 0
      if (isQuiet === wasQuiet) return
      wasQuiet = isQuiet
      cancel()
      timer = isQuiet ? setTimeout(rest, QUIET_MS) : setTimeout(fetch, AT_MOST_MS)
    }
    look()
    const stop = client.getQueryCache().subscribe(look)
    return () => {
      stop()
      cancel()
    }
  }, [code, module, client])
  return module
}

/** Fetches the code when it is wanted; `times` counts that, so that it is asked for again if it did not arrive. */
export function useWanted<Module>(code: AfterPage<Module>, times: number): Module | null {
  const [module, setModule] = useState(() => code.arrived)
  useEffect(() => {
    if (!module && times > 0)
      fetchCode(code).then(
        (loaded) => setModule(() => loaded),
        () => {},
      )
  }, [code, module, times])
  return module
}

/**
 * A part whose code is fetched when it is first shown, such as a dialog. If it does not arrive, the page stays as it is.
 * `waiting`: what stands in its place until then.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const code = afterPage(load)
  return (props) => {
    const Loaded = useWanted(code, 1)
    return Loaded ? <Loaded {...props} /> : waiting
  }
}
