import type { Page } from '@playwright/test'

/** What of a page is waited for. */
export interface Parts {
  /** Selects something of the frame around the page; it is shown before the data. */
  shell: string
  /** Selects the rows; the page works once they are shown. */
  works: string
}

export interface Opening {
  shell_ms: number
  works_ms: number
  requests: number
  gzip_kb: number
  /** Of the scripts alone. */
  script_kb: number
  /** When the largest thing in sight was painted. */
  largest_ms: number
}

/** The list of rule crowds, where a viewer arrives. */
export const FIRST_PAGE = {
  path: '/cowd-manage/cowd-assets',
  shell: '[role=menuitem]',
  works: 'tbody .ant-table-row',
} as const

/** Compressed as bytes are counted; a browser would ask for brotli too. */
export const GZIP = { 'accept-encoding': 'gzip' }

/** Notes in the page when the two selectors are first drawn. */
function watch({ shell, works }: Parts) {
  const shown: { shell?: number; works?: number } = {}
  Object.assign(window, { shown })
  const look = () => {
    if (shown.shell === undefined && document.querySelector(shell)) shown.shell = performance.now()
    if (shown.works === undefined && document.querySelector(works)) shown.works = performance.now()
    if (shown.works === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** The largest paint until now; ends once the page has rested for a second. */
async function largestPaint(): Promise<number> {
  let largest = 0
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) largest = Math.max(largest, startTime)
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  await new Promise((rested) => setTimeout(rested, 1000))
  return largest
}

/** Opens a page with a processor `slower` times slower, and counts what was fetched until it works. */
export async function open(page: Page, url: string, parts: Parts, slower = 1): Promise<Opening> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const sizes = new Map<string, number>()
  const scripts = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    sizes.set(requestId, 0)
    if (new URL(request.url).pathname.endsWith('.js')) scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  await page.addInitScript(watch, { shell: parts.shell, works: parts.works })
  await page.goto(url, { waitUntil: 'commit' })
  const shown = await page
    .waitForFunction(
      () => {
        const { shown } = window as unknown as { shown: { shell: number; works?: number } }
        return shown.works === undefined ? null : { shell: shown.shell, works: shown.works }
      },
      undefined,
      { timeout: 60_000 },
    )
    .catch((error) => {
      throw new Error(`${url} shows no ${parts.works}`, { cause: error })
    })
  const bytesOf = (ids: Iterable<string>) => [...ids].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
  const [bytes, requests, scriptBytes] = [bytesOf(sizes.keys()), sizes.size, bytesOf(scripts)]
  const times = await shown.jsonValue()
  if (!times) throw new Error('nothing was shown')
  return {
    shell_ms: times.shell,
    works_ms: times.works,
    requests,
    gzip_kb: bytes / 1024,
    script_kb: scriptBytes / 1024,
    largest_ms: await page.evaluate(largestPaint),
  }
}
