import { type Sandbox, startSandbox } from './server.ts'

/**
 * The sandbox as a process of its own: `node sandbox/main.ts <dir> [port]`. If started with an IPC channel, it reports its
 * address to the parent and ends when the parent does.
 */
// Its files are readable only by its own user.
process.umask(0o077)
const [dir = './data/sandbox', port = '0'] = process.argv.slice(2)
const hasParent = process.send !== undefined
let isEnding = false
let sandbox: Sandbox | null = null

if (hasParent) {
  // Ctrl-C reaches every process of the terminal, but the parent's calls in flight still need this one.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', end)
}
try {
  sandbox = await startSandbox({ dir, port: Number(port) })
} catch (error) {
  console.error(`沙箱无法启动（数据目录 ${dir}）：${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
if (hasParent) {
  // The parent may have ended, which is not an error.
  if (process.connected) process.send?.({ url: sandbox.url, key: sandbox.key }, undefined, {}, end)
  else await end()
} else {
  process.on('SIGINT', () => end())
  process.on('SIGTERM', () => end())
  console.log(`沙箱已启动：${sandbox.url}（状态与开关：${sandbox.url}/sandbox?key=${sandbox.key}）`)
}

/** Called with null if the message was delivered. */
async function end(fault?: Error | null): Promise<void> {
  if (fault === null || isEnding) return
  isEnding = true
  await sandbox?.close()
  process.exit(0)
}
