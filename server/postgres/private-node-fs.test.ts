import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PrivateNodeFS, SYNCED } from './private-node-fs.ts'

const synced = vi.hoisted(() => ({ times: 0 }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const fsyncSync = (descriptor: number) => {
    synced.times++
    fs.fsyncSync(descriptor)
  }
  return { ...fs, fsyncSync }
})

test('a commit is on the disk before it is answered, and a checkpoint too', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'renqun-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const db = await PGlite.create({ fs: new PrivateNodeFS(directory), startParams: SYNCED })
  const syncsOf = async (statement: string) => {
    const before = synced.times
    await db.exec(statement)
    return synced.times - before
  }
  await db.exec('create table kept (n int)')
  expect(await syncsOf('insert into kept values (1)')).toBeGreaterThan(0)
  expect(await syncsOf('select * from kept')).toBe(0)
  expect(await syncsOf('begin; insert into kept values (2); insert into kept values (3); commit')).toBe(1)
  expect(await syncsOf('checkpoint')).toBeGreaterThan(1)
  await db.close()
})
