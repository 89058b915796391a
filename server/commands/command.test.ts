import { expect, test } from 'vitest'
import type { Runtime } from '../process/runtime.ts'
import { type Command, command, type Report } from './command.ts'
import { COMMANDS, findCommand } from './commands.ts'

const NO_RUNTIME = {} as Runtime
const SILENT: Report = { progress: () => {}, print: () => {} }

const load = command({
  name: 'load people',
  summary: '读入',
  usage: 'FILE [NOTE] --advertiser 名称 [--skip 列]…',
  positionals: ['FILE', 'NOTE?'],
  options: { advertiser: { type: 'string' }, skip: { type: 'string', multiple: true }, force: { type: 'boolean' } },
  run: async (_, { values, positionals, cwd }, { print }) => {
    print(JSON.stringify({ ...values, positionals, cwd }))
  },
})

async function printed(of: Command, argv: string[]): Promise<unknown> {
  const lines: string[] = []
  const typed = { argv, cwd: '/home/me', signal: new AbortController().signal }
  await of.run(NO_RUNTIME, typed, { ...SILENT, print: (line) => lines.push(line) })
  return JSON.parse(lines.join(''))
}

test('words are parsed into options, positionals and the directory in which they were typed', async () => {
  expect(await printed(load, ['a.csv', '--advertiser', '甲', '--skip', 'x', '--skip', 'y', '--force'])).toEqual({
    advertiser: '甲',
    skip: ['x', 'y'],
    force: true,
    positionals: ['a.csv'],
    cwd: '/home/me',
  })
})

test.each([
  [[], '缺少 FILE。用法：npm run renqun -- load people FILE'],
  [['a', 'b', 'c'], '多余的参数 c。'],
  [['a', '--nope'], '没有选项 --nope。'],
  [['a', '--advertiser'], '选项 --advertiser 的值不正确。'],
])('wrong words are refused before any store is opened: %o', (argv, sentence) => {
  expect(() => load.check(argv)).toThrow(sentence)
})

test('the longest matching name is the command', () => {
  const short = { ...load, name: 'load' }
  expect(findCommand(['load', 'people', 'a.csv'], [short, load])).toEqual({ command: load, argv: ['a.csv'] })
  expect(findCommand(['load', 'a.csv'], [short, load])).toEqual({ command: short, argv: ['a.csv'] })
  expect(findCommand(['people'], [short, load])).toBeUndefined()
})

test('only an import that may create its advertiser starts on an empty DATA_DIR', () => {
  const mayBegin = (...more: string[]) =>
    COMMANDS.filter(({ name, positionals, check }) => {
      const given = positionals.filter((word) => !word.endsWith('?')).map(() => 'a.csv')
      return check([...given, ...(name.startsWith('import ') ? more : [])]).mayBegin
    })
  expect(mayBegin()).toEqual([])
  expect(mayBegin('--create-advertiser').map(({ name }) => name)).toEqual([
    'import users',
    'import events',
    'import reports',
  ])
})

test('every command has a unique name and a description', () => {
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length)
  for (const { summary } of COMMANDS) expect(summary).toMatch(/\p{Script=Han}/u)
})
