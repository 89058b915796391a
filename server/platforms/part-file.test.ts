import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { unzip } from '../testing/unzip.ts'
import { partFiles } from './part-file.ts'

const disk = tinyDisk(2)
afterAll(() => disk?.remove())

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'renqun-parts-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const signal = new AbortController().signal
async function* texts(...all: string[]) {
  yield* all
}
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

describe("a part's file", () => {
  test('is a zip with one text file of all lines, deleted after use', async () => {
    const files = partFiles(dir)
    await files.with({ key: 'p-1_a', text: texts('a\nb\n', 'c\n'), most: 10_000, signal }, async (file) => {
      const bytes = await bytesOf(file.blob)
      expect(file.name).toBe('p-1_a.zip')
      expect(file.bytes).toBe(bytes.length)
      expect(file.md5).toBe(createHash('md5').update(bytes).digest('hex'))
      expect(await unzip(bytes)).toEqual([{ name: 'p-1_a.txt', text: 'a\nb\nc\n' }])
      expect(await readdir(dir)).toHaveLength(1)
    })
    expect(await readdir(dir)).toEqual([])
  })

  test('has the same bytes when it is made again', async () => {
    const made = async () =>
      partFiles(dir).with({ key: 'p', text: texts('a\nb\n'), most: 10_000, signal }, async ({ md5 }) => md5)
    expect(await made()).toBe(await made())
  })

  test('that is too large is refused before anything is sent, and leaves no file', async () => {
    const random = async function* () {
      for (let at = 0; at < 100; at++) yield `${createHash('sha512').update(String(at)).digest('base64')}\n`
    }
    let isUsed = false
    const use = async () => {
      isUsed = true
    }
    await expect(partFiles(dir).with({ key: 'p', text: random(), most: 500, signal }, use)).rejects.toMatchObject({
      kind: 'refused',
    })
    expect(isUsed).toBe(false)
    expect(await readdir(dir)).toEqual([])
  })

  test('fails with the error if its values cannot be read or it is aborted', async () => {
    const broken = async function* () {
      yield 'a\n'
      throw new Error('the warehouse is closed')
    }
    const use = async () => {}
    await expect(partFiles(dir).with({ key: 'p', text: broken(), most: 500, signal }, use)).rejects.toThrow('warehouse')
    const endless = async function* () {
      for (;;) yield 'a\n'
    }
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('stopped')), 50)
    await expect(
      partFiles(dir).with({ key: 'p', text: endless(), most: 2 ** 40, signal: stop.signal }, use),
    ).rejects.toThrow('stopped')
    expect(await readdir(dir)).toEqual([])
  })

  test.skipIf(!disk)('on a full disk is retried until there is space', async () => {
    if (!disk) return
    const random = async function* () {
      for (let at = 0; at < 100_000; at++) yield `${createHash('sha256').update(String(at)).digest('hex')}\n`
    }
    const files = partFiles(join(disk.path, 'push-parts'))
    const made = () => files.with({ key: 'p', text: random(), most: 2 ** 40, signal }, async ({ bytes }) => bytes)
    expect(await made().catch((error) => error)).toMatchObject({
      kind: 'later',
      message: expect.stringContaining('磁盘'),
    })
    disk.fill()
    expect(await made().catch((error) => error)).toMatchObject({ kind: 'later' })
    expect(await readdir(join(disk.path, 'push-parts'))).toEqual([])
  })

  test('with a key that is not a file name is refused', async () => {
    for (const key of ['../p', 'a/b', '', 'x'.repeat(65)]) {
      await expect(
        partFiles(dir).with({ key, text: texts('a\n'), most: 500, signal }, async () => {}),
      ).rejects.toMatchObject({ kind: 'configuration' })
    }
  })

  test('deletes files of a process that was killed long ago, and keeps those that may still be sent', async () => {
    await mkdir(join(dir, 'part-old'))
    await utimes(join(dir, 'part-old'), new Date(0), new Date(0))
    await mkdir(join(dir, 'part-new'))
    await partFiles(dir).with({ key: 'p', text: texts('a\n'), most: 500, signal }, async () => {})
    expect(await readdir(dir)).toEqual(['part-new'])
  })
})
