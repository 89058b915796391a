import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that stays the same and calls the newest handler, so that memoised rows are not drawn again. */
export function useSteady<Given extends unknown[]>(handler: (...given: Given) => void): (...given: Given) => void {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...given) => newest.current(...given), [])
}
