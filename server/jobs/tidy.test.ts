import { expect, test } from 'vitest'
import { testJobs, until } from '../testing/jobs.ts'
import { AUDIT_DAYS, nightlyTidy } from './tidy.ts'

const { db, aWorker, states } = await testJobs()

test('deletes old audit rows, ended sessions and old sign-in failures at night, and nothing else', async () => {
  const at = Math.floor(Date.now() / 1000)
  const day = 86_400
  await db
    .insertInto('audit')
    .values(
      // More than one batch.
      Array.from({ length: 6000 }, () => ({ at: at - (AUDIT_DAYS + 1) * day, action: 'old', detail: '{}' })),
    )
    .execute()
  await db
    .insertInto('audit')
    .values([
      { at: at - 366 * day, action: 'a year ago', detail: '{}' },
      { at, action: 'now', detail: '{}' },
    ])
    .execute()
  const { id: viewer_id } = await db
    .insertInto('viewer')
    .values({
      username: 'one',
      realname: '',
      password_hash: '',
      is_admin: false,
      see_phones: false,
      see_restricted: false,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = (token_hash: string, expires_at: number) => ({
    viewer_id,
    token_hash,
    expires_at,
    created_at: at - day,
    last_seen: at - day,
    address: '',
    agent: '',
  })
  await db
    .insertInto('session')
    .values([session('ended', at - 1), session('open', at + day)])
    .execute()
  await db
    .insertInto('sign_in_attempt')
    .values([
      { key: 'old', failures: 3, first_at: at - 2 * day, until: 0 },
      { key: 'held', failures: 30, first_at: at - 2 * day, until: at + 60 },
    ])
    .execute()

  const jobs = aWorker()
  nightlyTidy({ db, jobs, timezone: 'Asia/Shanghai' })
  // The start makes up for the missed night.
  await jobs.start()
  await until(async () => (await states()).includes('completed'), 20_000)

  const actions = await db.selectFrom('audit').select('action').orderBy('at').execute()
  expect(actions.map((row) => row.action)).toEqual(['a year ago', 'now'])
  expect(await db.selectFrom('session').select('token_hash').execute()).toEqual([{ token_hash: 'open' }])
  expect(await db.selectFrom('sign_in_attempt').select('key').execute()).toEqual([{ key: 'held' }])
})
