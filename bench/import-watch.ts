// A client in its own thread: counts rules on the server and asks for its health while something else runs.
import { parentPort, workerData } from 'node:worker_threads'

export interface WatchData {
  origin: string
  cookie: string
  adv_id: number
}
export interface Watched {
  counts: number[]
  healthz: number[]
}

const { origin, cookie, adv_id } = workerData as WatchData
const PAUSE_MS = 100
const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const watched: Watched = { counts: [], healthz: [] }
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

async function call(path: string, body?: object) {
  const answer = await fetch(`${origin}${path}`, {
    headers,
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown }
  if (code !== 0) throw new Error(`${path}: ${msg}`)
  return data
}

interface TagNode {
  id: number
  group?: TagNode[]
}
const { data: categories } = (await call(`/api/tree?tag_type=1&adv_id=${adv_id}`)) as { data: TagNode[] }
const tags = categories.flatMap((category) => category.group ?? []).map((tag) => tag.id)
const { rId } = (await call('/api/peoplerule', { advId: adv_id })) as { rId: number }

/** Four leaves of two tags under all operators, with other tags each time. */
function ruleOf(turn: number) {
  const leaf = (n: number) => ({
    id: `n${n}`,
    op: 'u',
    subTags: [0, 1].map((i) => ({ id: tags[(turn * 7 + n * 3 + i) % tags.length], tag_type: 1 })),
    exps: [],
  })
  const node = (id: string, op: string, exps: object[]) => ({ id, op, subTags: [], exps })
  return node('n7', 'n', [node('n5', 'u', [leaf(1), leaf(2)]), node('n6', 'e', [leaf(3), leaf(4)])])
}

async function loop(times: number[], ask: (turn: number) => Promise<unknown>) {
  for (let turn = 0; !isOver; turn++) {
    const began = performance.now()
    await ask(turn)
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

await Promise.all([
  loop(watched.counts, (turn) => call(`/api/peoplerule/${rId}/count`, { advId: adv_id, rule: ruleOf(turn) })),
  loop(watched.healthz, async () => (await fetch(`${origin}/healthz`)).text()),
])
parentPort?.postMessage(watched)
