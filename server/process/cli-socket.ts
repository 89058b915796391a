import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Command, Report } from '../commands/command.ts'
import { findCommand } from '../commands/commands.ts'
import { socketPath } from '../commands/socket-path.ts'
import { StartError } from '../start-error.ts'
import type { Runtime } from './runtime.ts'

/** Messages from the server to the command line, one line of JSON each. The last one is `done` or `failed`. */
export type SocketLine =
  | { kind: 'progress'; share: number; stage: string }
  | { kind: 'print'; line: string }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }

export type TypedCommand = { words: string[]; cwd: string }

export type CliSocket = { close(): Promise<void> }

/** A line is sent at least this often, since a client may treat minutes of silence as a dead server. */
const HEARTBEAT_MS = 10_000

/** Runs commands for the command line in this process, which owns the stores. Only this user may connect. */
export async function openCliSocket(runtime: Runtime, commands?: Command[]): Promise<CliSocket> {
  const path = socketPath(runtime.stores.settings.dataDir)
  await prepare(path, runtime.stores.settings.dataDir)
  const running = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = answer(runtime, request, response, commands).finally(() => running.delete(work))
    running.add(work)
  })
  await new Promise<void>((opened, refused) => {
    server.once('error', refused)
    server.listen(path, opened)
  })
  await chmod(path, 0o600)
  return {
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      await Promise.allSettled(running)
      server.closeAllConnections()
      await closed
    },
  }
}

/** We already own the data directory's lock, so an existing socket was left by a dead process. */
async function prepare(path: string, dataDir: string): Promise<void> {
  const directory = dirname(path)
  if (directory !== dataDir) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found = await lstat(directory)
    const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
    if (!ours) throw new StartError(`目录 ${directory} 不属于当前用户，命令行无法安全连接：请删除它后重新启动`)
  }
  await rm(path, { force: true })
}

async function answer(
  runtime: Runtime,
  request: IncomingMessage,
  response: ServerResponse,
  commands: Command[] | undefined,
): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const send = (line: SocketLine) => {
    if (!response.writableEnded && !left.signal.aborted) response.write(`${JSON.stringify(line)}\n`)
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let last: SocketLine & { kind: 'progress' } = { kind: 'progress', share: 0, stage: '' }
  const heartbeat = setInterval(() => send(last), HEARTBEAT_MS)
  const report: Report = {
    progress: (share, stage) => {
      last = { kind: 'progress', share, stage }
      send(last)
    },
    print: (line) => send({ kind: 'print', line }),
  }
  try {
    const { words, cwd } = JSON.parse(await text(request)) as TypedCommand
    const found = findCommand(words, commands)
    if (!found) throw new Error(`正在运行的服务不认识命令 ${words.join(' ')}，请先重新启动它`)
    await found.command.run(runtime, { argv: found.argv, cwd, signal: left.signal }, report)
    send({ kind: 'done' })
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    clearInterval(heartbeat)
    response.end()
  }
}
