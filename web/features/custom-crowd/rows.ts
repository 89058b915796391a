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

/** More people than identifiers: some identifiers, such as a family's phone, belong to several people. */
export const isSharedByPeople = ({ matched, user_count }: Pick<CustomCrowd, 'matched' | 'user_count'>): boolean =>
  (matched ?? 0) > (user_count ?? 0)

/** Whether every line of its upload was malformed, so that it holds nothing. */
export const tookNothing = ({ status, user_count, invalid_share }: CustomCrowd): boolean =>
  status === 'available' && user_count === 0 && invalid_share === 1
