import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { SocketLine, TypedCommand } from '../server/cli-socket.ts'
import type { Report } from '../server/commands/command.ts'
import { socketPath } from '../server/commands/socket-path.ts'

/** No server listens there. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])

/** Lets the running server do the work. Answers false when there is none; throws the command's own failure. */
export async function handOver(
  dataDir: string,
  typed: TypedCommand,
  report: Report,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = await connect(socketPath(dataDir), typed, signal)
  if (!lines) return false
  for await (const text of lines) {
    const line = JSON.parse(text) as SocketLine
    if (line.kind === 'progress') report.progress(line.share, line.stage)
    if (line.kind === 'print') report.print(line.line)
    if (line.kind === 'failed') throw new Error(line.message)
    if (line.kind === 'done') return true
  }
  throw new Error('服务在完成之前停止了；重新启动后可以再次运行这条命令')
}

function connect(socket: string, typed: TypedCommand, signal: AbortSignal) {
  return new Promise<AsyncIterable<string> | undefined>((connected, failed) => {
    const call = request({ socketPath: socket, path: '/run', method: 'POST', signal }, (response) => {
      // A server that dies shows as lines that end without `done`, which the reader tells in words.
      response.on('error', () => {})
      connected(createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY }))
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.has(error.code ?? '')) connected(undefined)
      else if (error.code === 'EACCES') failed(new Error('正在运行的服务属于另一个系统用户，请用那个用户运行这条命令'))
      else failed(error)
    })
    call.end(JSON.stringify(typed))
  })
}
