import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { CROWD_TAG, type RuleNode } from '#contract/rule.ts'
import { compareRule } from '#contract/rule-crowd.ts'
import { aCrowd, anAdvertiser, aTag, leaf, node, setTag, tagged } from '../../testing/builders.ts'
import { aChild } from '../../testing/custom-crowds.ts'
import { VIDEO } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
let adv = 0
let women = 0
let city = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  women = await aTag(app, adv, [1, 2, 3, 4, 2_000_000], '女')
  city = await aTag(app, adv, [3, 4, 5], '一线')
})

const compare = (id: number, rule: RuleNode) => app.admin.call(compareRule, { params: { id }, body: { rule } })

test('who enters and leaves is counted against the people of the crowd as it is', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const { data } = await compare(id, node('r', 'n', leaf('a', 'n', tagged(city)), leaf('b', 'u', tagged(city, women))))
  expect(data).toMatchObject({ before: 5, after: 3, entered: 1, left: 3, users: [] })
  expect((await compare(id, leaf('a', 'n', tagged(women)))).data).toMatchObject({ after: 5, entered: 0, left: 0 })
  // Data that came since count for the rule, not for the crowd.
  await setTag(app, adv, women, [1, 7], 2)
  expect((await compare(id, leaf('a', 'n', tagged(women)))).data).toMatchObject({
    ...{ before: 5, after: 2, entered: 1, left: 4 },
  })
})

test('a rule may name the crowd itself, and what uses the crowd is told', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const itself = leaf('h', null, [{ id, tag_type: CROWD_TAG }])
  const { id: user } = await aCrowd(app, adv, itself, { name: '用它的人群' })
  await app.settled()
  const { data } = await compare(id, node('r', 'u', itself, leaf('b', 'n', tagged(city))))
  expect(data).toMatchObject({
    after: 6,
    entered: 1,
    left: 0,
    users: [{ kind: 'crowd', id: user, name: '用它的人群' }],
  })
})

test('a package that holds an audience of the crowd is told, with the plans that use it', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const account = await aTargetingAccount(app, adv, VIDEO)
  await aChild(app, 0, account, VIDEO, { custom_id: null, people_id: id, audience_id: '1712345678901234567' })
  const package_id = await aPackage(app, account, {
    targeting_name: '老客包',
    targeting: { landing_type: 'EXTERNAL', auto_crowd_mode: [1], retargeting_tags_include: ['1712345678901234567'] },
  })
  await aPackage(app, account, { targeting_name: '无关', targeting: { landing_type: 'EXTERNAL' } })
  const packages = [{ id: package_id, name: '老客包', platform: VIDEO }]
  expect((await compare(id, leaf('a', 'n', tagged(city)))).data).toMatchObject({ users: [], packages })
  await app.stores.postgres.db
    .insertInto('targeting_use')
    .values({ package_id, plan_id: 7, plan_name: '双11', live: true })
    .execute()
  expect((await compare(id, leaf('a', 'n', tagged(city)))).data).toMatchObject({
    users: [{ kind: 'plan', id: 7, name: '双11', package_name: '老客包' }],
    packages,
  })
})

test('a crowd without a result and unknown tags are refused', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  expect(await compare(id, leaf('a', 'n', tagged(999_999)))).toMatchObject({ code: FAULTS.ruleUnknownTag.code })
  await app.stores.postgres.db.updateTable('people').set({ version: 0, magnitude: null }).where('id', '=', id).execute()
  expect(await compare(id, leaf('a', 'n', tagged(city)))).toMatchObject({ code: FAULTS.crowdNoResult.code })
  expect(await compare(999_999, leaf('a', 'n', tagged(city)))).toMatchObject({ status: 404 })
})
