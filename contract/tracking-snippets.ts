/** Code that sends events to this console, complete with the key, to be pasted. */

/** What a snippet is written for. */
export interface SnippetFor {
  /** Of the console, such as `https://renqun.example.com`, without a slash at its end. */
  origin: string
  key: string
}

/** Where a page without a bundler gets the SDK from; the console serves it. */
export const PAGE_SCRIPT_PATH = '/analytics.js'

/** What the page script sends by itself: how long the page was in sight (`seconds`), and long presses on an `image`. */
export const DWELL_EVENT = '页面停留'
export const LONG_PRESS_EVENT = '长按图片'

const inCode = (text: string) => JSON.stringify(text)

/** A page of HTML: loads the SDK from the console, and keeps calls until it has arrived. */
export const pageSnippet = ({ origin, key }: SnippetFor) => `<script>
  window.analytics = window.analytics || []
  ;['page', 'track', 'identify', 'group', 'reset'].forEach(function (name) {
    analytics[name] = function () {
      analytics.push([name].concat([].slice.call(arguments)))
    }
  })
  analytics.page()
</script>
<script async src="${origin}${PAGE_SCRIPT_PATH}" data-write-key="${key}"></script>`

/** A page that is built from npm packages: https://www.npmjs.com/package/@segment/analytics-next */
export const bundledSnippet = ({
  origin,
  key,
}: SnippetFor) => `import { AnalyticsBrowser } from '@segment/analytics-next'

const analytics = AnalyticsBrowser.load({
  writeKey: ${inCode(key)},
  cdnURL: ${inCode(origin)},
})

analytics.page()
analytics.identify('10001', { city: '上海' })
analytics.track('下单', { amount: 299 })`

/** A server in Node: https://www.npmjs.com/package/@segment/analytics-node */
export const nodeSnippet = ({ origin, key }: SnippetFor) => `import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({
  writeKey: ${inCode(key)},
  host: ${inCode(origin)},
})

analytics.identify({ userId: '10001', traits: { city: '上海' } })
analytics.track({ userId: '10001', event: '下单', properties: { amount: 299 } })

// 进程结束前，等待已经记录的事件发送完
await analytics.closeAndFlush()`

/** Any language: a batch over HTTP, by the example of curl. */
export const curlSnippet = ({ origin, key }: SnippetFor) => `curl ${origin}/v1/batch \\
  -u '${key}:' \\
  -H 'Content-Type: application/json' \\
  -d '{"batch":[
    {"type":"identify","userId":"10001","traits":{"city":"上海"}},
    {"type":"track","userId":"10001","event":"下单","properties":{"amount":299}}
  ]}'`
