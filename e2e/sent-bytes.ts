import type { Page } from './test.ts'

/**
 * Records the addresses, headers and bodies of all that the page sends, a byte as one character. The page itself reads
 * them: the browser tells a test nothing of a body that is a Blob.
 */
export async function watchSent(page: Page): Promise<string[]> {
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await page.exposeFunction('recordSent', (text: string) => void sent.push(text))
  await page.addInitScript(() => {
    const record = (window as unknown as { recordSent(text: string): void }).recordSent
    const keep = async (body: BodyInit | null | undefined) => {
      if (body === null || body === undefined) return
      const bytes = new Uint8Array(await new Response(body).arrayBuffer())
      record(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    }
    const { send, setRequestHeader } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
      record(`${name}: ${value}`)
      setRequestHeader.call(this, name, value)
    }
    XMLHttpRequest.prototype.send = function (body) {
      void keep(body as BodyInit | null | undefined)
      send.call(this, body)
    }
    const { fetch, navigator } = window
    window.fetch = async (input, init) => {
      const request = new Request(input, init)
      record(JSON.stringify([...request.headers]))
      void keep(await request.clone().arrayBuffer())
      return fetch(request)
    }
    const beacon = navigator.sendBeacon.bind(navigator)
    navigator.sendBeacon = (url, body) => {
      void keep(body)
      return beacon(url, body)
    }
  })
  return sent
}
