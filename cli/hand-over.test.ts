import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Command, command, type Report } from '../server/commands/command.ts'
import { socketPath } from '../server/commands/socket-path.ts'
import { openCliSocket } from '../server/process/cli-socket.ts'
import type { Runtime } from '../server/process/runtime.ts'
import { handOver } from './hand-over.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part()
})

function dataDir(...deeper: string[]): string {
  const top = mkdtempSync(join(tmpdir(), 'renqun-cli-'))
  closing.push(() => rmSync(top, { recursive: true, force: true }))
  return join(top, ...deeper)
}

async function serve(directory: string, ...commands: Command[]) {
  // The commands here use no store.
  const runtime = { stores: { settings: { dataDir: directory } } } as Runtime
  const socket = await openCliSocket(runtime, commands)
  closing.push(socket.close)
}

const described = { summary: '', usage: '', positionals: [], options: {} } as const
const NO_SIGNAL = new AbortController().signal

function listen(): Report & { received: string[] } {
  const received: string[] = []
  return {
    received,
    progress: (share, stage) => received.push(`${share} ${stage}`),
    print: (line) => received.push(line),
  }
}

test('a running server does the work, and its progress arrives meanwhile', async () => {
  const directory = dataDir()
  const count = command({
    ...described,
    name: 'count',
    positionals: ['N'],
    run: async (_, { positionals, cwd }, { progress, print }) => {
      for (const step of [1, 2]) progress(step / Number(positionals[0]), `第 ${step} 步`)
      print(`完成于 ${cwd}`)
    },
  })
  await serve(directory, count)
  const report = listen()
  expect(await handOver(directory, { words: ['count', '2'], cwd: '/home/me' }, report, NO_SIGNAL)).toBe(true)
  expect(report.received).toEqual(['0.5 第 1 步', '1 第 2 步', '完成于 /home/me'])
})

test('only this user may connect, and a socket whose path is too long is in a private directory', async () => {
  const short = dataDir()
  await serve(short)
  expect(statSync(socketPath(short)).mode & 0o777).toBe(0o600)
  const long = dataDir('很长的目录名'.repeat(10))
  await serve(long)
  expect(statSync(join(socketPath(long), '..')).mode & 0o777).toBe(0o700)
  await expect(handOver(long, { words: ['x'], cwd: '/' }, listen(), NO_SIGNAL)).rejects.toThrow('不认识命令 x')
})

test("a command's failure and the refusal of wrong words are reported to the command line", async () => {
  const directory = dataDir()
  const fail = command({ ...described, name: 'fail', run: async () => Promise.reject(new Error('没有这个广告主')) })
  await serve(directory, fail)
  const typed = (...words: string[]) => handOver(directory, { words, cwd: '/' }, listen(), NO_SIGNAL)
  await expect(typed('fail')).rejects.toThrow('没有这个广告主')
  await expect(typed('fail', 'more')).rejects.toThrow('多余的参数 more')
})

test('without a server nothing is handed over, and the socket of a dead server is replaced', async () => {
  const directory = dataDir()
  expect(await handOver(directory, { words: ['x'], cwd: '/' }, listen(), NO_SIGNAL)).toBe(false)
  writeFileSync(socketPath(directory), '')
  expect(await handOver(directory, { words: ['x'], cwd: '/' }, listen(), NO_SIGNAL)).toBe(false)
  await serve(directory)
  await expect(handOver(directory, { words: ['x'], cwd: '/' }, listen(), NO_SIGNAL)).rejects.toThrow('不认识命令')
})

test('a client that disconnects aborts the work', async () => {
  const directory = dataDir()
  const leaving = new AbortController()
  let isStopped = false
  const wait = command({
    ...described,
    name: 'wait',
    run: (_, { signal }, { progress }) =>
      new Promise((done) => {
        signal.addEventListener('abort', () => {
          isStopped = true
          done()
        })
        progress(0, '等待')
      }),
  })
  await serve(directory, wait)
  const report = { ...listen(), progress: () => leaving.abort() }
  await expect(handOver(directory, { words: ['wait'], cwd: '/' }, report, leaving.signal)).rejects.toThrow()
  await expect.poll(() => isStopped).toBe(true)
})

test('a stopping server first finishes the commands that were handed to it', async () => {
  const directory = dataDir()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const slow = command({
    ...described,
    name: 'slow',
    run: async (_, __, { print }) => {
      begin()
      await new Promise((done) => setTimeout(done, 100))
      print('完成')
    },
  })
  const socket = await openCliSocket({ stores: { settings: { dataDir: directory } } } as Runtime, [slow])
  const report = listen()
  const handed = handOver(directory, { words: ['slow'], cwd: '/' }, report, NO_SIGNAL)
  await begun
  await socket.close()
  expect(await handed).toBe(true)
  expect(report.received).toEqual(['完成'])
})
