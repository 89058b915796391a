import { useCallback, useLayoutEffect, useRef } from 'react'

/** The same function in every rendering, which runs the latest one given: what gets it need not be drawn anew. */
export function useSame<Given extends unknown[], Answer>(
  run: (...given: Given) => Answer,
): (...given: Given) => Answer {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  return useCallback((...given) => latest.current(...given), [])
}
