import { AnalyticsBrowser } from '@segment/analytics-next'

// The script that pages of other sites load: the Segment SDK, sending to the console that served it. It takes up the calls
// that the page queued in `window.analytics` before it arrived.

type Queued = ['page' | 'track' | 'identify' | 'group' | 'reset', ...unknown[]]

const script = document.currentScript as HTMLScriptElement | null
const writeKey = script?.dataset.writeKey
if (script && writeKey) {
  const page = window as unknown as { analytics?: Queued[] | AnalyticsBrowser }
  const queued = Array.isArray(page.analytics) ? page.analytics.splice(0) : []
  const analytics = AnalyticsBrowser.load({ writeKey, cdnURL: new URL(script.src).origin })
  page.analytics = analytics
  for (const [name, ...given] of queued) {
    const call = analytics[name] as (...given: unknown[]) => unknown
    call.apply(analytics, given)
  }
} else {
  console.error('[renqun] the script has no data-write-key')
}
