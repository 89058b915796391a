// The time from the last byte of an uploaded crowd's files to its exact size, compared with `sort -u` of the same lines on
// the same cores and the engine's own INSERT of them; and the speed of hashing a file in the browser before the upload.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openAsBlob, readFileSync, statSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sentenceOf } from '#contract/outcome.ts'
import { CROWD_UPLOAD_PATH, UPLOAD_FILES_MAX, UPLOAD_TOKEN_HEADER } from '#contract/upload.ts'
import { openConsole } from './console.ts'
import { percentile, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    lines: { type: 'string', default: '30000000' },
    files: { type: 'string', default: String(UPLOAD_FILES_MAX) },
    /** How often each is measured, in turn; the median counts. */
    rounds: { type: 'string', default: '1' },
  },
})
const rounds = Number(given.rounds)
const files = Number(given.files)
const linesOf = Math.ceil(Number(given.lines) / files)
const lines = linesOf * files

const { warehouse, postgres, services, origin, cookie, dataDir, close } = await openConsole()
const chosen = join(dataDir, 'chosen')
mkdirSync(chosen)
const paths = Array.from({ length: files }, (_, at) => join(chosen, `${at + 1}.txt`))

/** 1 % of the lines are malformed; 10 % of the others repeat an earlier one. */
async function writeFiles() {
  const hash = (number: string) => `lower(hex(MD5(concat('imei', toString(${number})))))`
  for (const [at, path] of paths.entries()) {
    await warehouse.load.acrossShards.command(
      `INSERT INTO FUNCTION file('${path}', 'LineAsString', 'line String')
       SELECT multiIf(cityHash64(number, 1) % 100 = 0, concat('bad ', toString(number)),
         cityHash64(number, 2) % 10 = 0, ${hash('cityHash64(number, 3) % greatest(number, 1)')}, ${hash('number')})
       FROM numbers(${at * linesOf}, ${linesOf}) SETTINGS max_threads = 1`,
    )
  }
}

async function runSort(): Promise<number> {
  const [took] = await timed(async () => {
    const sort = spawn('sort', ['-u', '-o', join(dataDir, 'sorted'), ...paths], {
      env: { ...process.env, LC_ALL: 'C' },
      stdio: 'inherit',
    })
    const [code] = await once(sort, 'exit')
    if (code !== 0) throw new Error(`sort ended with ${code}`)
  })
  return took
}

async function runBare(): Promise<number> {
  await warehouse.load.acrossShards.command('DROP TABLE IF EXISTS bare SYNC')
  await warehouse.load.acrossShards.command('CREATE TABLE bare (value String) ENGINE = MergeTree ORDER BY value')
  const [took] = await timed(() =>
    warehouse.load.acrossShards.command(
      `INSERT INTO bare SELECT line FROM file('${chosen}/*.txt', 'LineAsString', 'line String')`,
    ),
  )
  return took
}

const headers = { cookie, 'sec-fetch-site': 'same-origin' }

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 0) throw new Error(`${path}: ${msg}`)
  return data
}

async function upload(path: string, name: string) {
  const { size } = statSync(path)
  const { token } = await call<{ token: string }>('GET', '/api/oss/sts_token')
  const tus = { 'tus-resumable': '1.0.0', [UPLOAD_TOKEN_HEADER]: token }
  const begun = await fetch(`${origin}${CROWD_UPLOAD_PATH}`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
  const uri = begun.headers.get('location')?.split('/').at(-1) ?? ''
  const sent = await fetch(`${origin}${CROWD_UPLOAD_PATH}/${uri}`, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: await openAsBlob(path),
  })
  if (sent.status !== 204) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
  return { name, size, uri }
}

/** Measures from the call that names the uploads until the crowd is available. */
async function runOurs(name: string) {
  const adv_id = await services.advertisers.create(null, `广告主 ${name}`)
  const sent: { name: string; size: number; uri: string }[] = []
  for (const [at, path] of paths.entries()) sent.push(await upload(path, `${at + 1}.txt`))
  const peak = startPeak()
  cpuSeconds()
  const [took, crowd] = await timed(async () => {
    const { id } = await call<{ id: number }>('POST', '/api/v1/gdtcrowd/crowd/custom/add', {
      user_id_type: 'HASH_IMEI',
      files: sent,
      name: `人群${name}`,
      dir_id: 1,
      adv_id,
    })
    for (;;) {
      const row = await postgres.db
        .selectFrom('custom_crowd')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (row.fail_reason !== null) throw new Error(sentenceOf(row.fail_reason))
      if (row.version > 0) return row
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  return { took, size: crowd.size, peak_mb: peak(), crowd_id: crowd.id }
}

/** The highest resident memory of this process from now on; it runs the server, both stores and this benchmark. */
function startPeak() {
  writeFileSync('/proc/self/clear_refs', '5')
  return () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024)
}

async function mustAgree(crowd_id: number, size: number | null) {
  const [bare] = await warehouse.load.acrossShards.query<{ unique: number; good: number; bad: number }>(
    `SELECT uniqExactIf(value, length(value) = 32 AND NOT startsWith(value, 'bad ')) AS unique,
       countIf(NOT startsWith(value, 'bad ')) AS good, countIf(startsWith(value, 'bad ')) AS bad FROM bare`,
    {},
    { settings: { max_bytes_before_external_group_by: 500_000_000 } },
  )
  const version = await postgres.db
    .selectFrom('custom_version')
    .selectAll()
    .where('crowd_id', '=', crowd_id)
    .executeTakeFirstOrThrow()
  const ours = [size, version.lines, version.valid, version.duplicate, version.malformed]
  const theirs = bare && [bare.unique, lines, bare.unique, bare.good - bare.unique, bare.bad]
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error(`ours ${ours}, by SQL ${theirs}`)
}

let cpuBefore = process.cpuUsage()
/** This process's processor time since the last call; other work of the machine hardly changes it. */
function cpuSeconds(): string {
  const { user, system } = process.cpuUsage(cpuBefore)
  cpuBefore = process.cpuUsage()
  return `${((user + system) / 1e6).toFixed(1).padStart(6)} s of processor`
}
const childSeconds = () => {
  const [, , user, system] = execFileSync('sh', ['-c', `cut -d' ' -f14-17 /proc/${process.pid}/stat`], {
    encoding: 'utf8',
  })
    .trim()
    .split(' ')
    .map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

/** Runs in a separate process with Chromium and the page's modules. */
const browserSpeeds = () =>
  JSON.parse(
    execFileSync('node', [join(import.meta.dirname, '../e2e/hash-speed.ts'), dataDir], { encoding: 'utf8' }),
  ) as { type: string; mb_s: number; sha256sum_mb_s: number }[]

const say = (what: string, took: number, note = '') =>
  console.log(`${what.padEnd(34)} ${(took / 1000).toFixed(1).padStart(7)} s  ${note}`)
const median = (values: readonly number[]) => percentile(values, 0.5)

try {
  await writeFiles()
  const megabytes = Math.round(paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6)
  console.log(
    `${lines.toLocaleString('en')} lines of HASH_IMEI in ${files} files, ${megabytes} MB, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
  const took = { sort: [] as number[], bare: [] as number[], ours: [] as number[] }
  let peak_mb = 0
  for (let round = 1; round <= rounds; round++) {
    const before = childSeconds()
    took.sort.push(await runSort())
    say('LC_ALL=C sort -u', took.sort.at(-1) ?? 0, `${(childSeconds() - before).toFixed(1).padStart(6)} s of processor`)
    cpuSeconds()
    took.bare.push(await runBare())
    say("the engine's bare INSERT", took.bare.at(-1) ?? 0, cpuSeconds())
    cpuSeconds()
    const ours = await runOurs(String(round))
    took.ours.push(ours.took)
    peak_mb = Math.max(peak_mb, ours.peak_mb)
    say('ours, crowd available', ours.took, `${cpuSeconds()}, peak ${ours.peak_mb} MB`)
    await mustAgree(ours.crowd_id, ours.size)
  }
  const speeds = browserSpeeds()
  for (const { type, mb_s, sha256sum_mb_s } of speeds) {
    console.log(
      `in the browser, to ${type.padEnd(19)} ${mb_s.toFixed(0).padStart(5)} MB/s; sha256sum ${sha256sum_mb_s.toFixed(0)} MB/s`,
    )
  }
  const seconds = median(took.ours) / 1000
  console.log(
    `RESULT ${JSON.stringify({
      lines,
      seconds: Number(seconds.toFixed(2)),
      times_faster_than_sort: Number((median(took.sort) / 1000 / seconds).toFixed(2)),
      times_bare_insert: Number((seconds / (median(took.bare) / 1000)).toFixed(2)),
      peak_mb,
      browser_hash_mb_s: Math.round(speeds[0]?.mb_s ?? 0),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)
