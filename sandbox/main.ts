import { type Sandbox, startSandbox } from './server.ts'

/**
 * The sandbox as a process of its own: `node sandbox/main.ts <dir> [port]`. Started by another process over IPC it says
 * where it listens and ends when that process does.
 */
// Its files are readable by its own user alone.
process.umask(0o077)
const [dir = './data/sandbox', port = '0'] = process.argv.slice(2)
const hasParent = process.send !== undefined
let isEnding = false
let sandbox: Sandbox | null = null

if (hasParent) {
  // A Ctrl+C goes to every process of the terminal; what the parent still has in flight needs this one.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', end)
}
sandbox = await startSandbox({ dir, port: Number(port) })
if (hasParent) {
  // The parent may be gone by now, which is no error.
  if (process.connected) process.send?.({ url: sandbox.url }, undefined, {}, end)
  else await end()
} else {
  process.on('SIGINT', () => end())
  process.on('SIGTERM', () => end())
  console.log(`沙箱已启动：${sandbox.url}（状态与开关：${sandbox.url}/sandbox）`)
}

/** Called with null if the message was delivered. */
async function end(fault?: Error | null): Promise<void> {
  if (fault === null || isEnding) return
  isEnding = true
  await sandbox?.close()
  process.exit(0)
}
