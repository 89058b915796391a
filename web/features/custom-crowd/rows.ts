import type { CustomChild } from '#contract/audience.ts'
import type { CustomCrowd } from '#contract/custom-crowd.ts'

/** A row of the tree: a crowd, or one of its audiences on a platform account. */
export interface Row {
  key: string
  id: number
  name: string
  crowd: CustomCrowd
  /** null on the crowd's own row. */
  child: CustomChild | null
  children?: Row[]
}

/** Crowds and audiences have separate id sequences, so the key has more than the id. */
const keyOf = (row: CustomCrowd | CustomChild): string =>
  [row.id, row.adv_id, row.is_children ? row.cnt_id : '', row.creator_id].join('-')

export const rowOf = (crowd: CustomCrowd): Row => ({
  key: keyOf(crowd),
  id: crowd.id,
  name: crowd.name,
  crowd,
  child: null,
  // An empty `children` would draw an expand icon.
  ...(crowd.audiences.length > 0
    ? {
        children: crowd.audiences.map((child) => ({
          key: keyOf(child),
          id: child.id,
          name: child.name,
          crowd,
          child,
        })),
      }
    : {}),
})

/** A crowd's state on each platform: the worst state of its audiences there. */
export function platformStates(crowd: CustomCrowd) {
  const rank = { failed: 4, expired: 3, frozen: 2, computing: 1, available: 0 } as const
  return crowd.cnt_type.flatMap((platform) => {
    const children = crowd.audiences.filter((child) => child.cnt_type === platform)
    const worst = children.toSorted((a, b) => rank[b.status] - rank[a.status])[0]
    if (!worst) return []
    const isPaused = children.some((child) => child.push?.is_paused)
    return [{ platform, accounts: children.length, status: worst.status, isPaused }]
  })
}

/** More people than identifiers: some identifiers, such as a family's phone, belong to several people. */
export const isSharedByPeople = ({ matched, user_count }: Pick<CustomCrowd, 'matched' | 'user_count'>): boolean =>
  (matched ?? 0) > (user_count ?? 0)
