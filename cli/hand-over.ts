import { type IncomingMessage, request } from 'node:http'
import type { Report } from '../server/commands/command.ts'
import { socketPath } from '../server/commands/socket-path.ts'
import type { SocketLine, TypedCommand } from '../server/process/cli-socket.ts'

/** Error codes that mean that no server listens. */
const NO_LISTENER = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])

/** Runs the command in the running server. Returns false if there is none; throws the command's failure. */
export async function handOver(
  dataDir: string,
  typed: TypedCommand,
  report: Report,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await connect(socketPath(dataDir), typed, signal)
  if (!answer) return false
  for await (const line of linesOf(answer)) {
    if (line.kind === 'progress') report.progress(line.share, line.stage)
    if (line.kind === 'print') report.print(line.line)
    if (line.kind === 'failed') throw new Error(line.message)
    if (line.kind === 'done') return true
  }
  throw new Error('服务在完成之前停止了；重新启动后可以再次运行这条命令')
}

async function* linesOf(answer: IncomingMessage): AsyncGenerator<SocketLine> {
  let rest = ''
  try {
    for await (const text of answer.setEncoding('utf8')) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as SocketLine
    }
  } catch (error) {
    // If the server dies, the lines end without `done`; the reader reports that.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

function connect(socket: string, typed: TypedCommand, signal: AbortSignal) {
  return new Promise<IncomingMessage | undefined>((connected, failed) => {
    const call = request({ socketPath: socket, path: '/run', method: 'POST', signal }, connected)
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (NO_LISTENER.has(error.code ?? '')) connected(undefined)
      else if (error.code === 'EACCES') failed(new Error('正在运行的服务属于另一个系统用户，请用那个用户运行这条命令'))
      else failed(error)
    })
    call.end(JSON.stringify(typed))
  })
}
