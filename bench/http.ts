import { request } from 'node:http'

/** Calls of one session: with a body a POST unless another method is given, else a GET. Rejects what is not answered with 200. */
export const answeredBy =
  (origin: string, cookie: string) =>
  <T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
      const call = request(`${origin}${path}`, { method, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve((JSON.parse(text) as { data: T }).data)
            : reject(new Error(`${path}: ${answer.statusCode} ${text}`)),
        )
      })
      call.on('error', reject)
      call.end(body ? JSON.stringify(body) : undefined)
    })
