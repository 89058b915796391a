import { Worker } from 'node:worker_threads'
import type { LaneAnswer, LaneMessage } from './hot-worker.ts'
import type { RulePlan, StoredSet } from './plan.ts'

/** The states of some sets, in chunks of (place in the sets UInt32, bucket UInt16, state), as RowBinary. */
export type StateChunks = AsyncIterable<Uint8Array>

/** Reads sets that are not in memory; counts do not wait for a `long` reading. */
export type Reading = { chunks(sets: readonly StoredSet[]): StateChunks; long: boolean }

type Entry = {
  handle: number
  ready: Promise<void>
  /** Part of a long reading that has not ended. */
  isFar: boolean
  bytes: number
  count: number
  /** Running counts that use it; it is not dropped before they end. */
  users: number
}

/** Thrown when the copies in memory cannot answer; the caller asks the store instead. */
export class NotHot extends Error {}

/** A lane's memory is addressed by 32 bits; some of it is scratch. */
const LANE_BYTES_MAX = 3.75 * 2 ** 30

const nameOf = (adv_id: number, { kind, id, version }: StoredSet) => `${adv_id} ${kind} ${id} ${version}`

/**
 * Copies of members in memory within a budget; the least recently used is dropped first. A version never changes, so a
 * copy cannot become stale. The blocks are divided among threads with separate memory: every core counts, and the
 * server's main thread stays free.
 */
export function openHot({ budget: wanted, lanes }: { budget: number; lanes: number }) {
  const budget = Math.min(wanted, lanes * LANE_BYTES_MAX)
  const entries = new Map<string, Entry>()
  const calls = new Map<
    number,
    { left: number; answers: LaneAnswer[]; done(answers: LaneAnswer[]): void; failed(error: Error): void }
  >()
  let workers: Worker[] = []
  let lastCall = 0
  let lastHandle = 0
  let closed = false

  function start(): Worker[] {
    if (closed) throw new NotHot('closed')
    if (workers.length > 0) return workers
    workers = Array.from({ length: lanes }, (_, lane) => {
      const worker = new Worker(new URL('./hot-worker.ts', import.meta.url), { workerData: { lane, lanes } })
      worker.unref()
      worker.on('message', (answer: LaneAnswer) => {
        const call = calls.get(answer.call)
        if (!call) return
        call.answers[lane] = answer
        if (--call.left > 0) return
        calls.delete(answer.call)
        call.done(call.answers)
      })
      worker.on('error', (error) => fail(worker, error))
      worker.on('exit', () => fail(worker, new Error('a counting thread ended')))
      return worker
    })
    return workers
  }

  /** When a lane ends, all copies are dropped; the next count starts new lanes. */
  function fail(worker: Worker, error: Error): void {
    if (!workers.includes(worker)) return
    const others = workers
    workers = []
    entries.clear()
    for (const call of calls.values()) call.failed(new NotHot(error.message))
    calls.clear()
    for (const other of others) void other.terminate()
  }

  const postAll = (message: LaneMessage) => {
    for (const worker of start()) worker.postMessage(message)
  }

  async function ask(
    message: { type: 'seal'; handles: number[] } | ({ type: 'count' } & Omit<LaneMessage & { type: 'count' }, 'call'>),
  ) {
    const call = ++lastCall
    const running = start()
    const answers = await new Promise<LaneAnswer[]>((done, failed) => {
      calls.set(call, { left: running.length, answers: [], done, failed })
      for (const worker of running) worker.postMessage({ ...message, call })
    })
    for (const answer of answers) if ('error' in answer) throw new NotHot(answer.error)
    return answers
  }

  function forget(names: readonly string[]): void {
    const handles = names.flatMap((name) => entries.get(name)?.handle ?? [])
    for (const name of names) entries.delete(name)
    if (handles.length > 0 && workers.length > 0) postAll({ type: 'drop', handles })
  }

  /** A Map keeps insertion order: an entry that is used moves to the end. */
  function touch(name: string, entry: Entry): void {
    entries.delete(name)
    entries.set(name, entry)
  }

  function makeRoom(): void {
    let held = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
    const leaving: string[] = []
    for (const [name, entry] of entries) {
      if (held <= budget) break
      if (entry.users > 0) continue
      held -= entry.bytes
      leaving.push(name)
    }
    forget(leaving)
  }

  async function fill(chunks: StateChunks, added: readonly Entry[]): Promise<void> {
    const handles = added.map((entry) => entry.handle)
    postAll({ type: 'open', handles })
    for await (const bytes of chunks) {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
      shared.set(bytes)
      postAll({ type: 'load', bytes: shared, handles })
    }
    const answers = await ask({ type: 'seal', handles })
    for (const [at, entry] of added.entries()) {
      for (const answer of answers) {
        if (!('sealed' in answer)) throw new NotHot('a lane gave another answer')
        entry.count += answer.sealed[at]?.count ?? 0
        entry.bytes += answer.sealed[at]?.bytes ?? 0
      }
      entry.isFar = false
    }
  }

  /** Long readings run one after another, so that connections stay free for counts. */
  let longReadings: Promise<unknown> = Promise.resolve()

  /** Starts to read sets that are not in memory; `count` waits for those it needs. */
  function add(adv_id: number, sets: readonly StoredSet[], { chunks, long }: Reading): void {
    const cold = sets.filter((set) => !entries.has(nameOf(adv_id, set)))
    if (cold.length === 0) return
    start()
    const added = cold.map(
      (): Entry => ({ handle: ++lastHandle, ready: Promise.resolve(), isFar: long, bytes: 0, count: 0, users: 0 }),
    )
    const names = cold.map((set) => nameOf(adv_id, set))
    const filled = long ? longReadings.then(() => fill(chunks(cold), added)) : fill(chunks(cold), added)
    const settle = () => {
      // Entries dropped while they waited: they were read anyway, and their memory would never be freed or counted.
      const left = added.filter((entry, at) => entries.get(names[at] as string) !== entry)
      if (left.length > 0) postAll({ type: 'drop', handles: left.map((entry) => entry.handle) })
      makeRoom()
    }
    const ready = filled.then(settle, (error) => {
      forget(names.filter((name, at) => entries.get(name) === added[at]))
      throw error instanceof NotHot ? error : new NotHot(String(error))
    })
    // Each count that waits for an entry gets its failure itself.
    const settled = ready.catch(() => {})
    if (long) longReadings = settled
    for (const [at, entry] of added.entries()) {
      entry.ready = ready
      entries.set(names[at] as string, entry)
    }
  }

  /** One count at a time uses all cores. An aborted count is skipped when its turn comes. */
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    // The next count runs even if this one fails; the failure goes to its caller.
    turn = done.catch(() => {})
    return done
  }

  const entriesOf = (adv_id: number, sets: readonly StoredSet[]) =>
    sets.flatMap((set) => entries.get(nameOf(adv_id, set)) ?? [])

  return {
    cold: <T extends StoredSet>(adv_id: number, sets: readonly T[]) =>
      sets.filter((set) => !entries.has(nameOf(adv_id, set))),
    add,
    /** Whether a count would wait for a long reading. */
    isFar: (adv_id: number, sets: readonly StoredSet[]) => entriesOf(adv_id, sets).some((entry) => entry.isFar),
    whenReady: (adv_id: number, sets: readonly StoredSet[]) =>
      Promise.all(entriesOf(adv_id, sets).map((entry) => entry.ready)),
    /** The number of people of each set and step; rejects with NotHot when the copies are not available. */
    async count(adv_id: number, plan: RulePlan, signal?: AbortSignal): Promise<{ sets: number[]; nodes: number[] }> {
      const used = entriesOf(adv_id, plan.sets)
      if (used.length < plan.sets.length) throw new NotHot('some sets were not read')
      for (const [at, entry] of used.entries()) {
        touch(nameOf(adv_id, plan.sets[at] as StoredSet), entry)
        entry.users++
      }
      try {
        await Promise.all(used.map((entry) => entry.ready))
        const { steps } = plan
        const answers = await inTurn(() => {
          signal?.throwIfAborted()
          return ask({
            type: 'count',
            plan: { sets: plan.sets.length, steps: steps.map(({ op, parts }) => ({ op, parts })) },
            handles: used.map((entry) => entry.handle),
          })
        })
        const nodes = new Array<number>(steps.length).fill(0)
        for (const answer of answers) {
          if (!('counts' in answer)) throw new NotHot('a lane gave another answer')
          for (const [at, count] of answer.counts.entries()) nodes[at] = (nodes[at] ?? 0) + count
        }
        return { sets: used.map((entry) => entry.count), nodes }
      } finally {
        for (const entry of used) entry.users--
      }
    },
    dropAll: () => forget([...entries.keys()]),
    drop: (adv_id: number, sets: readonly StoredSet[]) => forget(sets.map((set) => nameOf(adv_id, set))),
    held: () => ({ sets: entries.size, bytes: [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0) }),
    async close() {
      closed = true
      const leaving = workers
      workers = []
      entries.clear()
      for (const call of calls.values()) call.failed(new NotHot('closed'))
      calls.clear()
      await Promise.all(leaving.map((worker) => worker.terminate()))
    },
  }
}
