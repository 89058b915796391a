/** Whether the page at `url` shows what the link leads to; further parameters of the address do not matter. */
export function isShownOn(link: string, url: string): boolean {
  // A link to a list page does not say which item it is about.
  if (!/\d/.test(link)) return false
  const [wanted, at] = [link, url].map((text) => new URL(text, 'http://here')) as [URL, URL]
  return (
    wanted.pathname === at.pathname &&
    [...wanted.searchParams].every(([name, value]) => at.searchParams.get(name) === value)
  )
}
