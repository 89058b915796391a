import { AnalyticsBrowser } from '@segment/analytics-next'
import { noteDwell } from './dwell.ts'
import { noteLongPress } from './long-press.ts'

// The script that pages of other sites load: the Segment SDK, sending to the console that served it. It takes up the calls
// that the page queued in `window.analytics` before it arrived, and notes dwell and long presses unless `data-auto="off"`.

type Queued = ['page' | 'track' | 'identify' | 'group' | 'reset', ...unknown[]]

const script = document.currentScript as HTMLScriptElement | null
const writeKey = script?.dataset.writeKey
if (script && writeKey) {
  const page = window as unknown as { analytics?: Queued[] | AnalyticsBrowser }
  const queued = Array.isArray(page.analytics) ? page.analytics.splice(0) : []
  const analytics = AnalyticsBrowser.load(
    { writeKey, cdnURL: new URL(script.src).origin },
    // What is sent while a page is left arrives too.
    { integrations: { 'Segment.io': { deliveryStrategy: { config: { keepalive: true } } } } },
  )
  page.analytics = analytics
  for (const [name, ...given] of queued) {
    const call = analytics[name] as (...given: unknown[]) => unknown
    call.apply(analytics, given)
  }
  if (script.dataset.auto !== 'off') {
    const track = (event: string, properties: Record<string, unknown>) => void analytics.track(event, properties)
    noteDwell(track)
    noteLongPress(track)
  }
} else {
  console.error('[renqun] the script has no data-write-key')
}
