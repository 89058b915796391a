import { parentPort, workerData } from 'node:worker_threads'
import { bitmapStore } from './bitmap-store.ts'
import { type FoldPlan, folder } from './fold.ts'
import { wasm } from './wasm.ts'

/** Messages of the cache to a lane, handled in order: a set is never dropped before a count that was sent earlier. */
export type LaneMessage =
  | { type: 'open'; handles: number[] }
  | { type: 'load'; bytes: Uint8Array; handles: number[] }
  | { type: 'seal'; call: number; handles: number[] }
  | { type: 'drop'; handles: number[] }
  | { type: 'count'; call: number; plan: FoldPlan; handles: number[] }
export type LaneAnswer =
  | { call: number; sealed: { count: number; bytes: number }[] }
  | { call: number; counts: number[] }
  | { call: number; error: string }

const port = parentPort
if (!port) throw new Error('a lane runs in a worker thread')
const { lane, lanes } = workerData as { lane: number; lanes: number }
const memory = new wasm.Memory({ initial: 1, maximum: 65_536 })
const store = bitmapStore(memory, lane, lanes)
const countSteps = folder(memory, store.blocks)

/** Errors of sets that did not fit, answered when the set is sealed. */
const broken = new Map<number, string>()

function answer(message: LaneMessage): LaneAnswer | undefined {
  switch (message.type) {
    case 'open':
      for (const handle of message.handles) store.open(handle)
      return
    case 'load':
      try {
        store.load(message.bytes, message.handles)
      } catch (error) {
        for (const handle of message.handles) broken.set(handle, String(error))
      }
      return
    case 'seal': {
      const fault = message.handles.map((handle) => broken.get(handle)).find((error) => error !== undefined)
      if (fault !== undefined) return { call: message.call, error: fault }
      return { call: message.call, sealed: message.handles.map((handle) => store.seal(handle)) }
    }
    case 'drop':
      for (const handle of message.handles) {
        store.drop(handle)
        broken.delete(handle)
      }
      return
    case 'count':
      return {
        call: message.call,
        counts: countSteps(
          message.plan,
          message.handles.map((handle) => store.get(handle)),
        ),
      }
  }
}

port.on('message', (message: LaneMessage) => {
  let reply: LaneAnswer | undefined
  try {
    reply = answer(message)
  } catch (error) {
    if (!('call' in message)) throw error
    reply = { call: message.call, error: String(error) }
  }
  if (reply) port.postMessage(reply)
})
