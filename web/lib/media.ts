import { useSyncExternalStore } from 'react'

/** Whether a media query holds now, and again whenever that changes. */
export function useMedia(query: string) {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}

/** The viewer asked the system for little movement. */
export const useStillness = () => useMedia('(prefers-reduced-motion: reduce)')
