import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { dictionaryCopies } from './copies.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

/** Ages are in whole seconds. */
const aSecond = () => sleep(1100)
const asked = (account_id: number, read: () => Promise<string[]>) => ({ key: 'crowds 1', account_id, maxAge: 60, read })

test('a copy is as old as the beginning of its reading: what happened since may be missing in it', async () => {
  const copies = dictionaryCopies(app.stores.postgres.db)
  const answer = Promise.withResolvers<string[]>()
  const began = now()
  const reading = copies.read(asked(1, () => answer.promise))
  await aSecond()
  answer.resolve(['老客'])
  const { content, read_at } = await reading
  expect(content).toEqual(['老客'])
  expect(read_at - began).toBeLessThan(1)
  await copies.close()
})

test('a reading that ends late does not replace what was asked for after it', async () => {
  const copies = dictionaryCopies(app.stores.postgres.db)
  const slow = Promise.withResolvers<string[]>()
  const older = copies.read(asked(1, () => slow.promise))
  await aSecond()
  await copies.read(
    asked(2, async () => ['老客', '新客']),
    { anew: true },
  )
  slow.resolve(['老客'])
  await older
  const unread = asked(1, () => Promise.reject(new Error('the copy is fresh')))
  expect((await copies.read(unread)).content).toEqual(['老客', '新客'])
  await copies.close()
})
