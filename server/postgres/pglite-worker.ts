import { chmodSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { servePglite } from './pglite-server.ts'
import { PrivateNodeFS, SYNCED } from './private-node-fs.ts'

// PGlite computes on its caller's thread, so it runs in a worker and does not block the main thread.
// Set by startPglite.
const { directory, socket } = workerData as { directory: string; socket: string }
const port = parentPort
if (!port) throw new Error('pglite-worker runs as a worker thread')

const db = await PGlite.create({ fs: new PrivateNodeFS(directory), startParams: SYNCED })
const server = await servePglite(db, socket)
chmodSync(socket, 0o600)
server.failure.catch((error: unknown) => {
  setImmediate(() => {
    throw error
  })
})
port.once('message', async () => {
  await server.close()
  await db.close()
  process.exit(0)
})
port.postMessage('ready')
