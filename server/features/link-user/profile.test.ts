import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { explainLinkUser, getLinkUserProfile } from '#contract/link-user-profile.ts'
import { CROWD_TAG, type SubTag } from '#contract/rule.ts'
import { createTag, listCategories } from '#contract/tag.ts'
import { aCrowd, anAdvertiser, leaf, node } from '../../testing/builders.ts'
import { phonesLeft } from '../../testing/phones-left.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())

const PHONE = '13800138000'
const IMEI = '861234567890123'
let adv_id: number
/** Tags by name. */
const tags: Record<string, SubTag> = {}

async function imported(kind: 'users' | 'events', text: string, mapping: object) {
  const upload_id = await uploadTo(app, app.admin, text)
  await app.admin.get(startImport, {
    body: { adv_id, upload_id, mapping: { kind, skip: [], ...mapping } as never },
  })
  await app.settled()
}

async function aTagOf(name: string, tag_type: 1 | 2, definition: object) {
  const { list } = await app.admin.get(listCategories, { query: { adv_id, tag_type } })
  const category_id = list[0]?.id as number
  const { id } = await app.admin.get(createTag, {
    body: { adv_id, name, category_id, definition: definition as never },
  })
  tags[name] = { id, tag_type }
}

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app, '甲')
  const users = [
    'id,phone,imei,city,note',
    `u1,${PHONE},${IMEI},上海,联系 ${PHONE}`,
    'u2,,,北京,',
    'u3,,,,',
    'u1,,,杭州,',
  ]
  await imported('users', `${users.join('\n')}\n`, {
    ...{ id: 'id', phone: 'phone', identifiers: [{ column: 'imei', type: 'IMEI' }] },
  })
  const events = [
    'id,event,time,price',
    'u1,pay,2025-11-01T12:00:00+08:00,12.1',
    'u1,pay,2025-11-03T12:00:00+08:00,0.2',
    'u2,browse,2025-11-03T12:00:00+08:00,',
  ]
  await imported('events', `${events.join('\n')}\n`, { id: 'id', event: 'event', time: 'time' })
  const pay = { kind: 'event', event: 'pay', window_days: null }
  await aTagOf('付过款', 2, pay)
  await aTagOf('付满十元', 2, { ...pay, measure: { of: 'sum', property: 'price', from: '10', to: null } })
  await aTagOf('平均六元', 2, { ...pay, measure: { of: 'average', property: 'price', from: '6', to: '7' } })
  await aTagOf('没付过款', 2, { ...pay, negated: true })
  await aTagOf('浏览过', 2, { ...pay, event: 'browse' })
  await aTagOf('在杭州', 1, { kind: 'attribute', attribute: 'city', condition: { is: 'equals', value: '杭州' } })
  await app.settled()
})

const profile = (query: object, caller = app.admin) =>
  caller.get(getLinkUserProfile, { query: { adv_id, ...query } as never })
const listed = (caller: typeof app.admin) => caller.get(listLinkUsers, { query: { adv_id } })
const tag = (name: string): SubTag => tags[name] ?? { id: 0, tag_type: 1 }

test('a profile has masked identifiers, the newest attributes, the tags held and the crowds', async () => {
  const rule = leaf('a', 'n', [tag('付过款')])
  const payers = await aCrowd(app, adv_id, rule, { name: '付款的人' })
  const others = await aCrowd(app, adv_id, leaf('a', 'n', [tag('浏览过')]), { name: '浏览的人' })
  await app.settled()
  const found = await profile({ oneID: 'u1' })
  expect(found.identifiers.map(({ id_type, total, shown }) => [id_type, total, shown])).toEqual([
    ['IMEI', 1, ['861****123']],
    ['HASH_IMEI', 1, ['****']],
    ['MD5_SHA256_IMEI', 1, ['****']],
    ['HASH_MOBILE_PHONE', 1, ['****']],
    ['SHA256_MOBILE_PHONE', 1, ['****']],
  ])
  expect(found.attributes).toContainEqual({ name: 'city', text: '杭州' })
  expect(found.attributes).toContainEqual({ name: 'note', text: `联系 ${PHONE}` })
  const names = found.tags.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['付过款', '付满十元', '在杭州']))
  expect(names).not.toContain('没付过款')
  expect(found.crowds.map(({ id, kind }) => [id, kind])).toEqual([[payers.id, 'rule']])
  expect((await profile({ oneID: 'u2' })).crowds.map(({ id }) => id)).toEqual([others.id])
  expect(await profile({ oneID: 'u3' })).toMatchObject({ identifiers: [], attributes: [], crowds: [] })
})

test('a viewer who may not see phones finds none in a profile', async () => {
  const member = await app.viewer('看不到手机号', [adv_id])
  const told = JSON.stringify([await profile({ oneID: 'u1' }, member), await listed(member)])
  expect(told).not.toContain(PHONE)
  expect(told).toContain('138****8000')
  expect(phonesLeft(told, PHONE)).toBe(10_000)
  expect((await profile({ oneID: 'u1' }, member)).attributes).toContainEqual({
    name: 'note',
    text: '联系 138****8000',
  })
})

describe('why somebody is in a crowd or not', () => {
  let crowd: number
  beforeAll(async () => {
    const payers = leaf('a', 'u', [tag('付满十元'), tag('平均六元'), tag('浏览过'), tag('没付过款')])
    const rule = node('r', 'e', payers, leaf('b', 'n', [tag('在杭州')]))
    crowd = (await aCrowd(app, adv_id, rule)).id
    await app.settled()
  })
  const why = (oneID: string, crowd_id = crowd) =>
    app.admin.get(explainLinkUser, { query: { adv_id, oneID, crowd_id } as never })

  test('each node and tag says whether it holds, and what decided it', async () => {
    const u1 = await why('u1')
    expect(u1).toMatchObject({ is_in: false, is_met: false, nodes: { r: false, a: true, b: true } })
    expect(Object.fromEntries(u1.tags.map(({ name, is_held, evidence }) => [name, [is_held, evidence]]))).toEqual({
      付满十元: [true, '「pay」2 次，最近一次在 2025-11-03 12:00:00；price 的合计是 12.3'],
      平均六元: [true, '「pay」2 次，最近一次在 2025-11-03 12:00:00；price 的平均值是 6.15'],
      浏览过: [false, '从未有过「browse」'],
      没付过款: [false, '「pay」2 次，最近一次在 2025-11-03 12:00:00'],
      在杭州: [true, '「city」是「杭州」'],
    })
    expect(u1.tags.find(({ name }) => name === '浏览过')?.meaning).toBe('做过「browse」')
    const u3 = await why('u3')
    expect(u3).toMatchObject({ is_in: true, is_met: true, nodes: { r: true, a: true, b: false } })
    expect(u3.tags.find(({ name }) => name === '在杭州')?.evidence).toBe('没有「city」的值')
  })

  test('the rule holds for exactly the people of the crowd', async () => {
    for (const oneID of ['u1', 'u2', 'u3']) {
      const { is_in, is_met } = await why(oneID)
      expect(is_met).toBe(is_in)
    }
  })

  test('a history crowd holds as its people do', async () => {
    const over = await aCrowd(app, adv_id, leaf('h', null, [{ id: crowd, tag_type: CROWD_TAG }]))
    await app.settled()
    expect(await why('u3', over.id)).toMatchObject({
      is_in: true,
      tags: [{ id: crowd, is_held: true, evidence: null, meaning: '', crowd_kind: 'rule' }],
    })
    expect(await why('u1', over.id)).toMatchObject({ is_in: false, tags: [{ is_held: false }] })
  })

  test('crowds of others, unknown people and uploaded crowds are not found', async () => {
    const other = await anAdvertiser(app, '乙')
    const ask = (query: object) => app.admin.call(explainLinkUser, { query: query as never })
    expect(await ask({ adv_id: other, oneID: 'u1', crowd_id: crowd })).toMatchObject({ status: 404 })
    expect(await ask({ adv_id, oneID: 'nobody', crowd_id: crowd })).toMatchObject({ status: 404 })
    expect(await ask({ adv_id, oneID: 'u1', crowd_id: 999_999 })).toMatchObject({ status: 404 })
  })
})
