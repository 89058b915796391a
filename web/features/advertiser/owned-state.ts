/** Parts of a page's address that name something of one advertiser, and the page of its list. */
const OWNED = [
  'dir_id',
  'adv_id',
  'category_id',
  'tag_id',
  'crowd',
  'child',
  'panel',
  'page',
  'creator_id',
  'account_id',
]

/** The query of an address without what belongs to one advertiser; other filters stay. */
export function withoutOwned(search: string): string {
  const params = new URLSearchParams(search)
  const owned = OWNED.filter((name) => params.has(name))
  if (owned.length === 0) return search
  for (const name of owned) params.delete(name)
  const text = params.toString()
  return text ? `?${text}` : ''
}
