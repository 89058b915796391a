/** Whether the page at `url` shows what the link leads to: the same thing, whatever else of its view the address holds. */
export function isLookedAt(link: string, url: string): boolean {
  // The page of many things does not say which of them it was.
  if (!/\d/.test(link)) return false
  const [wanted, at] = [link, url].map((text) => new URL(text, 'http://here')) as [URL, URL]
  return (
    wanted.pathname === at.pathname &&
    [...wanted.searchParams].every(([name, value]) => at.searchParams.get(name) === value)
  )
}
