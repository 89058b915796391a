import type { ReactNode } from 'react'

/** One result of the search. */
export interface Entry {
  key: string
  title: string
  /** Where it belongs: menu group, category or advertiser. */
  place?: string
  icon?: ReactNode
  /** Further search words. */
  words?: string
  run: () => void
}

export interface Section {
  title: string
  entries: Entry[]
}

/** Entries whose title, place or words contain every part of the query; all entries for an empty query. */
export function matching(entries: readonly Entry[], query: string): Entry[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = `${entry.title} ${entry.place ?? ''} ${entry.words ?? ''}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}
