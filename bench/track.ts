// How many tracked events a second are acknowledged and stored: batches over a few connections, the client on the same
// cores. Then whether every acknowledged event was counted.
import { Agent, request } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openConsole } from './console.ts'
import { percentile } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    connections: { type: 'string', default: '8' },
    batch: { type: 'string', default: '100' },
  },
})
const seconds = Number(given.seconds)
const connections = Number(given.connections)
const size = Number(given.batch)
const EVENTS = ['浏览商品', '加购', '下单', '支付', '分享']
const COUNTED_WITHIN_MS = 180_000

const { postgres, warehouse, services, origin, close } = await openConsole({ TRACKING_RATE: '1000000' })
const adv_id = await services.advertisers.create(null, '示例品牌')
const { key } = await services.writeKeys.make(null, { adv_id, kind: 'server', name: '压测' })
const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
const agent = new Agent({ keepAlive: true, maxSockets: connections })

let sent = 0
function message(at: number) {
  const no = ++sent
  return {
    type: 'track',
    event: EVENTS[no % EVENTS.length],
    messageId: `m${no}`,
    ...(no % 3 === 0 ? { anonymousId: `d${no % 40_000}` } : { userId: `u${(no * 7919) % 100_000}` }),
    timestamp: new Date(at - (no % 60_000)).toISOString(),
    properties: { price: (no % 9973) / 10, sku: `sku-${no % 500}`, source: 'app', campaign_id: `c${no % 20}` },
    context: { page: { path: `/p/${no % 500}`, referrer: '' }, library: { name: 'bench', version: '1' } },
  }
}

function send(): Promise<number> {
  const at = Date.now()
  const body = JSON.stringify({
    batch: Array.from({ length: size }, () => message(at)),
    sentAt: new Date(at).toISOString(),
  })
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(`${origin}/v1/batch`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => {
        if (answer.statusCode !== 200) return reject(new Error(`${answer.statusCode} ${text}`))
        resolve((JSON.parse(text) as { data: { accepted: number } }).data.accepted)
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

const waits: number[] = []
let acknowledged = 0
async function connection(until: number) {
  while (performance.now() < until) {
    const started = performance.now()
    const accepted = await send()
    acknowledged += accepted
    waits.push(performance.now() - started)
  }
}

const stored = async (from: string) => {
  const [row] = await warehouse.live.acrossShards.query<{ n: number }>(
    `SELECT uniqExact(${from === 'event' ? 'row_id' : 'message_id'}) AS n FROM ${from} WHERE adv_id = ${adv_id}`,
  )
  return row?.n ?? 0
}

// The first call of each kind compiles what the others use.
acknowledged = await send()
const before = acknowledged
const cpuBefore = process.cpuUsage()
const started = performance.now()
const until = started + seconds * 1000
await Promise.all(Array.from({ length: connections }, () => connection(until)))
const took = (performance.now() - started) / 1000
const events_s = Math.round((acknowledged - before) / took)
const cpu = process.cpuUsage(cpuBefore)
const cpuMs = (cpu.user + cpu.system) / 1000 / ((acknowledged - before) / 1000)
const lost = acknowledged - (await stored('track_message'))

const countedBy = performance.now() + COUNTED_WITHIN_MS
let uncounted = acknowledged
while (uncounted > 0 && performance.now() < countedBy) {
  await new Promise((resolve) => setTimeout(resolve, 500))
  uncounted = acknowledged - (await stored('event'))
}
const countedAfter = (performance.now() - started) / 1000 - took
const { rows } = await postgres.pool.query(`select count(*)::int as takes from import where source = 'tracking'`)

console.log(
  `${acknowledged.toLocaleString('en')} events in batches of ${size} over ${connections} connections in ${took.toFixed(1)} s, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
)
console.log(
  `${events_s.toLocaleString('en')} events a second acknowledged and stored; answers p50 ${percentile(waits, 0.5).toFixed(0)} ms, p95 ${percentile(waits, 0.95).toFixed(0)} ms; ${cpuMs.toFixed(0)} ms of processor time for 1,000, client and counting included; lost ${lost}`,
)
console.log(
  `all counted ${countedAfter.toFixed(1)} s after the last call, by ${rows[0]?.takes} imports; uncounted ${uncounted}`,
)
console.log(
  `RESULT ${JSON.stringify({ events_s, p95_ms: Math.round(percentile(waits, 0.95)), lost: lost + uncounted })}`,
)
agent.destroy()
await close()
