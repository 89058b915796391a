import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, test } from 'vitest'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { engineError } from '../../clickhouse/engine-error.ts'
import { AppError } from '../../errors.ts'
import { FileFault } from '../../files/file-fault.ts'
import { DatabaseAway } from '../../postgres/away.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import { ObjectStoreAway } from '../../storage/object-store-away.ts'
import { asAppError, outcomeOf, retriesOf } from './failure.ts'

const engine = (code: string, type: string, message: string) =>
  engineError(new ClickHouseError({ code, type, message }), 'server')
const system = (code: string, message = code) => Object.assign(new Error(message), { code })

describe('a full disk', () => {
  test.each([
    [
      'the warehouse, by its own code',
      engine('243', 'NOT_ENOUGH_SPACE', 'Cannot reserve 16.05 MiB, not enough space. '),
    ],
    [
      'the warehouse, by the system error',
      engine(
        '75',
        'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
        'Cannot write to file: , errno: 28, strerror: No space left on device',
      ),
    ],
    ['Node', system('ENOSPC')],
    ['a quota', system('EDQUOT')],
    ['Postgres', system('53100', 'could not extend file "base/5/1": No space left on device')],
  ])('is recognised from %s and not retried', (_, error) => {
    expect(isDiskFull(error)).toBe(true)
    expect(retriesOf(error)).toBe(0)
    expect(sentenceOf(outcomeOf(error))).toMatch(/^磁盘空间不足/)
  })
})

test('retries for longer while a store is unreachable, and once after other unexpected errors', () => {
  for (const away of [new ObjectStoreAway(system('ECONNREFUSED')), system('ECONNRESET')]) {
    expect(retriesOf(away)).toBeGreaterThan(3)
    expect(sentenceOf(outcomeOf(away))).toMatch(/^对象存储连接中断/)
  }
  expect(retriesOf(new DatabaseAway(system('ECONNREFUSED')))).toBeGreaterThan(3)
  expect(sentenceOf(outcomeOf(new DatabaseAway(system('ECONNREFUSED'))))).toMatch(/^数据库连接中断/)
  for (const away of [
    engineError(new Error('socket hang up'), 'server'),
    engine('202', 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many'),
  ]) {
    expect(retriesOf(away)).toBeGreaterThan(3)
    expect(sentenceOf(outcomeOf(away))).toMatch(/^仓库连接中断/)
  }
  const unexpected = engine('47', 'UNKNOWN_IDENTIFIER', 'Missing columns')
  expect(retriesOf(unexpected)).toBe(1)
  expect(sentenceOf(outcomeOf(unexpected))).toMatch(/^导入时出现意外错误/)
  expect(sentenceOf(outcomeOf(engine('241', 'MEMORY_LIMIT_EXCEEDED', 'Memory limit exceeded')))).toMatch(/^内存不足/)
})

test('faults of a file become an AppError with their sentence; other errors are unchanged', () => {
  expect(asAppError(new FileFault(outcome('file_zero_bytes')))).toEqual(
    new AppError('importUnreadable', { reason: outcome('file_zero_bytes') }),
  )
  expect(asAppError(system('EISDIR'))).toMatchObject({ message: '文件无法读取：它是一个目录' })
  const other = new Error('other')
  expect(asAppError(other)).toBe(other)
})
