import type { ReactNode } from 'react'

/** One thing that the search can open or do. */
export interface Entry {
  key: string
  title: string
  /** Where it stands: the menu group, the category, the advertiser. */
  place?: string
  icon?: ReactNode
  /** Further words that find it. */
  words?: string
  run: () => void
}

export interface Section {
  title: string
  entries: Entry[]
}

/** The entries whose title, place or words hold every part of the query; all of them for an empty one. */
export function matching(entries: readonly Entry[], query: string): Entry[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = `${entry.title} ${entry.place ?? ''} ${entry.words ?? ''}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}
