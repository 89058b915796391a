import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Runtime } from '../process/runtime.ts'

/** How a command tells whoever typed it what goes on; the same lines come from a running server and from a process of its own. */
export type Report = {
  /** `share` runs from 0 to 1. */
  progress(share: number, stage: string): void
  print(line: string): void
}

export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values']

export type CommandArgs<Options extends ParseArgsOptionsConfig> = {
  values: Values<Options>
  /** As many as `positionals` names. */
  positionals: readonly string[]
  /** Where the command was typed: a file's name is resolved against it, not against the server's directory. */
  cwd: string
  /** Aborted when the one who typed it leaves. */
  signal: AbortSignal
}

type Described<Options extends ParseArgsOptionsConfig> = {
  /** One or two words, as typed: `import users`. */
  name: string
  summary: string
  /** What follows the name, for the help text. */
  usage: string
  /** Names of what must be given without a dash, in order; one that ends in `?` may be left out. */
  positionals: readonly string[]
  options: Options
  /** More lines for the help text: one per option. */
  help?: readonly string[]
  /** The option with which it may begin on an empty DATA_DIR; every other command works on what is there. */
  begins?: keyof Options & string
}

export type Command = Described<ParseArgsOptionsConfig> & {
  /** Throws when it fails; the message is what the user reads. */
  run(runtime: Runtime, typed: { argv: string[]; cwd: string; signal: AbortSignal }, report: Report): Promise<void>
  /** Throws what is wrong with the words, before any store is opened; answers whether it may begin on an empty DATA_DIR. */
  check(argv: string[]): { mayBegin: boolean }
}

/** Declares a command once: its words, its help and its work. The work happens in the process that owns the stores. */
export function command<const Options extends ParseArgsOptionsConfig>(
  described: Described<Options> & {
    run(runtime: Runtime, args: CommandArgs<Options>, report: Report): Promise<void>
  },
): Command {
  return {
    ...described,
    check: (argv) => {
      const values: Record<string, unknown> = parse(described, argv).values
      return { mayBegin: described.begins !== undefined && values[described.begins] === true }
    },
    run: async (runtime, { argv, cwd, signal }, report) =>
      described.run(runtime, { ...parse(described, argv), cwd, signal }, report),
  }
}

function parse<Options extends ParseArgsOptionsConfig>(described: Described<Options>, argv: string[]) {
  const { values, positionals } = parsedWords(described, argv)
  const required = described.positionals.filter((name) => !name.endsWith('?'))
  const missing = required[positionals.length]
  if (missing) throw new Error(`缺少 ${missing}。用法：npm run renqun -- ${described.name} ${described.usage}`)
  const extra = positionals[described.positionals.length]
  if (extra !== undefined)
    throw new Error(`多余的参数 ${extra}。用法：npm run renqun -- ${described.name} ${described.usage}`)
  return { values, positionals }
}

function parsedWords<Options extends ParseArgsOptionsConfig>(described: Described<Options>, argv: string[]) {
  try {
    return parseArgs({ args: argv, options: described.options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Error(`${inChinese(error)}。用法：npm run renqun -- ${described.name} ${described.usage}`)
  }
}

function inChinese(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  const option = /'([^']+)'/.exec(message)?.[1]?.split(' <')[0] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `没有选项 ${option}`
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `选项 ${option} 的值不正确`
  return message
}
