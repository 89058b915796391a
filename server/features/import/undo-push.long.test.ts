import { expect, test } from 'vitest'
import { type ImportMapping, startImport, undoImport } from '#contract/import.ts'
import { startPush } from '#contract/push.ts'
import { computeRuleCrowd } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount, md5, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'
import { uploadTo } from '../../testing/upload.ts'

const { app, sandbox } = await testAppWithSandbox()

const phone = (no: number) => String(13_900_000_000 + no)
const hashed = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => md5(phone(from + at))).toSorted()
const mapping: ImportMapping = { kind: 'users', id: 'id', phone: 'phone', identifiers: [], skip: [] }

async function imported(adv_id: number, from: number, to: number) {
  const lines = Array.from({ length: to - from }, (_, at) => `u${from + at},${phone(from + at)},北京`)
  const upload_id = await uploadTo(app, app.admin, `id,phone,city\n${lines.join('\n')}\n`)
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  return id
}

test('after an undo the pushes of its crowds send the removals', { timeout: 120_000 }, async () => {
  await sandbox.control('switches', { processing_seconds: 0.1 })
  const adv_id = await anAdvertiser(app)
  const account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[1][1])
  await imported(adv_id, 0, 20)
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find(({ tag }) => tag === '北京')
  const crowd = await aCrowd(app, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)))
  await app.settled()
  const body = { id: crowd.id, advertiser_id: account, kind: 'rule' as const, types: ['HASH_MOBILE_PHONE' as const] }
  await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body: { ...body, keeps_step: true } })
  await app.settled()
  const held = async () => {
    const { audience_id } = await app.stores.postgres.db
      .selectFrom('audience')
      .select('audience_id')
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow()
    return sandboxValues(sandbox, SOCIAL, audience_id ?? '')
  }
  expect(await held()).toEqual(hashed(0, 20))

  const mistake = await imported(adv_id, 15, 40)
  // An import alone recomputes a crowd at most every 15 minutes; its pushes follow by themselves.
  await app.admin.get(computeRuleCrowd, { params: { id: crowd.id } })
  await app.settled()
  expect(await held()).toEqual(hashed(0, 40))
  await app.admin.get(undoImport, { params: { id: mistake } })
  await app.settled()
  expect(await held()).toEqual(hashed(0, 20))
})
