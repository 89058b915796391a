import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { acquireLock, readLock } from './lock.ts'

let dataDir: string
let children: ChildProcess[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'renqun-lock-'))
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  chmodSync(dataDir, 0o700)
  rmSync(dataDir, { recursive: true, force: true })
})

/** A process that tries to own the directory, prints the result, and keeps running. */
async function anotherProcess(): Promise<{ child: ChildProcess; says: string }> {
  const program = `
    const { acquireLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))})
    try {
      const lock = await acquireLock(${JSON.stringify(dataDir)})
      lock.setAddress('http://127.0.0.1:4321')
      console.log('owner')
    } catch (error) {
      console.log(error.name + ' ' + error.message)
    }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [says] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return { child, says: String(says).trim() }
}

test('one process owns a directory, and the others see its address', async () => {
  const { child, says } = await anotherProcess()
  expect(says).toBe('owner')
  expect(readLock(dataDir)).toMatchObject({ pid: child.pid, url: 'http://127.0.0.1:4321' })
  await expect(acquireLock(dataDir)).rejects.toThrow(StartError)
  await expect(acquireLock(dataDir)).rejects.toThrow(`进程 ${child.pid}，地址 http://127.0.0.1:4321`)
})

test('exactly one of many simultaneous starts gets the lock, even after the owner was killed', async () => {
  const first = await anotherProcess()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  expect(readLock(dataDir)).toBeUndefined()
  const said = (await Promise.all(Array.from({ length: 8 }, anotherProcess))).map(({ says }) => says)
  expect(said.filter((says) => says === 'owner')).toHaveLength(1)
  expect(said.filter((says) => says.startsWith('StartError DATA_DIR'))).toHaveLength(7)
}, 60_000)

test('a lock whose process id now belongs to another program is taken over', async () => {
  const { child } = await anotherProcess()
  const lock = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ ...lock, began: 'another boot/1' }))
  expect(lock.pid).toBe(child.pid)
  const mine = await acquireLock(dataDir)
  expect(readLock(dataDir)?.pid).toBe(process.pid)
  mine.release()
})

test('an incomplete lock is taken over, and a released one leaves no file', async () => {
  writeFileSync(join(dataDir, 'lock'), '{"pid":')
  const mine = await acquireLock(dataDir)
  mine.setAddress('http://127.0.0.1:1')
  mine.release()
  expect(readdirSync(dataDir)).toEqual([])
})

test('a process that owns a directory cannot lock it again', async () => {
  const mine = await acquireLock(dataDir)
  await expect(acquireLock(dataDir)).rejects.toThrow('正在启动')
  mine.release()
})

test('a directory that cannot be created or written fails with one sentence', async () => {
  const file = join(dataDir, 'file')
  writeFileSync(file, '')
  await expect(acquireLock(join(file, 'below'))).rejects.toThrow(/^DATA_DIR .* 不可写/)
  chmodSync(dataDir, 0o500)
  // Root can write everywhere.
  if (process.getuid?.() !== 0) await expect(acquireLock(dataDir)).rejects.toThrow(/不可写/)
})

const disk = tinyDisk(1)
afterAll(() => disk?.remove())

test.skipIf(!disk)('a full disk fails with one sentence, and no file is left on it', async () => {
  if (!disk) return
  disk.fill()
  await expect(acquireLock(disk.path)).rejects.toThrow(/不可写：磁盘已满$/)
  disk.empty()
  expect(readdirSync(disk.path)).toEqual([])
})
