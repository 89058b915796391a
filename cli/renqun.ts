import '../server/process/private-files.ts'
import { COMMANDS, findCommand } from '../server/commands/commands.ts'
import { refuseWithoutData } from '../server/config/data-dir.ts'
import { readSettings } from '../server/config/settings.ts'
import { ignoreOutputErrors } from '../server/process/ignore-output-errors.ts'
import { handOver } from './hand-over.ts'
import { helpOf, overview } from './help.ts'
import { showOn } from './show.ts'

// The embedded warehouse occupies a thread of libuv's pool per running query; the pool is created at its first use.
process.env.UV_THREADPOOL_SIZE ??= '32'
ignoreOutputErrors()

/** Ctrl-C does not undo the work: it is a job, and continues where the stores are open. */
const LEFT = '已停止等待：已开始的工作会在服务中继续（没有服务时，下次启动后继续），进度见页面右上角的任务'

const words = process.argv.slice(2)
const asksHelp = words.some((word) => word === '--help' || word === '-h')
const found = findCommand(words)

if (!found) {
  const isHelp = asksHelp || words.length === 0 || words[0] === 'help'
  if (!isHelp) console.error(`没有命令 ${words.filter((word) => !word.startsWith('-')).join(' ')}\n`)
  ;(isHelp ? console.log : console.error)(overview(COMMANDS))
  process.exitCode = isHelp ? 0 : 1
} else if (asksHelp) {
  console.log(helpOf(found.command))
} else {
  process.exitCode = await run(found)
}

async function run({ command, argv }: NonNullable<typeof found>): Promise<number> {
  const stopped = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
  const show = showOn(process.stdout, process.stderr)
  // npm runs scripts in the package's directory, but file names are relative to the directory where the command was
  // typed.
  const typed = { words, cwd: process.env.INIT_CWD ?? process.cwd() }
  try {
    const { mayBegin } = command.check(argv)
    const settings = readSettings(process.env)
    if (await handOver(settings.dataDir, typed, show, stopped.signal)) return 0
    if (!mayBegin) refuseWithoutData(settings)
    const { openRuntime } = await import('../server/process/runtime.ts')
    const runtime = await openRuntime(settings)
    try {
      await command.run(runtime, { argv, cwd: typed.cwd, signal: stopped.signal }, show)
    } finally {
      await runtime.close()
    }
    return 0
  } catch (error) {
    show.close()
    console.error(stopped.signal.aborted ? LEFT : error instanceof Error ? error.message : String(error))
    if (process.env.DEBUG) console.error(error)
    return 1
  } finally {
    show.close()
  }
}
