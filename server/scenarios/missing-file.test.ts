import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MALFORMED_KEPT_SECONDS, sweepMalformed } from '../identifiers/malformed.ts'
import { partFiles } from '../platforms/part-file.ts'

async function aDirectory() {
  const dir = await mkdtemp(join(tmpdir(), 'renqun-sweep-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('sweeping malformed lines ignores missing files and reports every other error', async () => {
  const dir = await aDirectory()
  const now = Math.floor(Date.now() / 1000) + MALFORMED_KEPT_SECONDS + 60
  await sweepMalformed(dir, now)
  const lines = join(dir, 'crowd-malformed')
  await writeFile(lines, '')
  await expect(sweepMalformed(dir, now)).rejects.toThrow('ENOTDIR')
  await rm(lines)
  await mkdir(lines)
  await symlink('nowhere', join(lines, '1.csv'))
  await sweepMalformed(dir, now)
  await symlink('2.csv', join(lines, '2.csv'))
  await expect(sweepMalformed(dir, now)).rejects.toThrow('ELOOP')
})

test('sweeping part files ignores missing files too, and is tried again with the next part', async () => {
  const dir = await aDirectory()
  const files = partFiles(dir)
  const send = () => {
    const text = (async function* () {})()
    const part = { key: 'k', text, most: 1000, signal: AbortSignal.timeout(5000) }
    return files.with(part, async ({ name }) => name)
  }
  await symlink('loop', join(dir, 'loop'))
  await expect(send()).rejects.toThrow('ELOOP')
  await rm(join(dir, 'loop'))
  await symlink('nowhere', join(dir, 'gone'))
  expect(await send()).toBe('k.zip')
})
