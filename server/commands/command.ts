import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Runtime } from '../process/runtime.ts'

/** How a command reports to the person who typed it, whether it runs in a server or in a process of its own. */
export type Report = {
  /** `share` is from 0 to 1. */
  progress(share: number, stage: string): void
  print(line: string): void
}

export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values']

export type CommandArgs<Options extends ParseArgsOptionsConfig> = {
  values: Values<Options>
  /** One for each name in `positionals`. */
  positionals: readonly string[]
  /** The directory in which the command was typed; file names are relative to it, not to the server's. */
  cwd: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

type Described<Options extends ParseArgsOptionsConfig> = {
  /** One or two words, as typed: `import users`. */
  name: string
  summary: string
  /** The words after the name, for the help text. */
  usage: string
  /** Names of the words without a dash, in order; one that ends in `?` is optional. */
  positionals: readonly string[]
  options: Options
  /** More lines for the help text: one per option. */
  help?: readonly string[]
  /** The option with which it may start on an empty DATA_DIR; other commands need existing data. */
  begins?: keyof Options & string
}

export type Command = Described<ParseArgsOptionsConfig> & {
  /** Throws on failure, with a message for the user. */
  run(runtime: Runtime, typed: { argv: string[]; cwd: string; signal: AbortSignal }, report: Report): Promise<void>
  /**
   * Throws if the words are wrong, before any store is opened; returns whether the command may start on an empty
   * DATA_DIR.
   */
  check(argv: string[]): { mayBegin: boolean }
}

/** Declares a command: its words, its help and its work, which runs in the process that owns the stores. */
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
