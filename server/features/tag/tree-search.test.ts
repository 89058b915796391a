import { afterAll, beforeEach, expect, test } from 'vitest'
import { ATTRIBUTE_TAG, getTagTree, listTags } from '#contract/tag.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { ensureCategory, insertTags } from './store.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres
let adv_id = 0
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
})

async function aCategory(name: string, tags: readonly string[]): Promise<void> {
  const made = { adv_id, tag_type: ATTRIBUTE_TAG, icon: 'other', source: null, position: 0 } as const
  const { id: category_id } = await ensureCategory(db, { ...made, name })
  const definition = (value: string) =>
    ({ kind: 'attribute', attribute: name, condition: { is: 'equals', value } }) as const
  await insertTags(
    db,
    tags.map((tag) => ({ adv_id, category_id, name: tag, definition: definition(tag) })),
  )
}

async function found(keyword: string, viewer: Caller = app.admin): Promise<string[]> {
  const { data } = await viewer.get(getTagTree, { query: { adv_id, keyword } })
  return data.flatMap(({ group = [] }) => group.map(({ tag }) => tag))
}

test('tags are found by the characters, the pinyin and the initials of their names and categories', async () => {
  await aCategory('性别', ['男', '女'])
  await aCategory('会员', ['VIP金卡', '普通'])
  const listed = async (keyword: string) => {
    const { list, total } = await app.admin.get(listTags, { query: { adv_id, keyword } })
    expect(total).toBe(list.length)
    return list.map(({ name }) => name)
  }
  expect([await listed('女'), await listed('nv'), await listed('vipj')]).toEqual([['女'], ['女'], ['VIP金卡']])
  expect(await found('女')).toEqual(['女'])
  expect(await found('nv')).toEqual(['女'])
  expect(await found('xb')).toEqual(['男', '女'])
  expect(await found('vipjin')).toEqual(['VIP金卡'])
  expect(await found('VIP金k')).toEqual(['VIP金卡'])
  expect(await found('ptong')).toEqual(['普通'])
  expect(await found('zzz')).toEqual([])
})

test('viewers who may not see phones do not find a masked one by its digits', async () => {
  await aCategory('备注', ['老板13812345678'])
  const viewer = await app.viewer('ops', [adv_id])
  expect(await found('laoban1381234')).toEqual(['老板13812345678'])
  expect(await found('laoban1381234', viewer)).toEqual([])
  expect(await found('laoban138', viewer)).toEqual(['老板138****5678'])
})

test('one name among three thousand is found by its pinyin', async () => {
  await aCategory(
    '门店',
    Array.from({ length: 3000 }, (_, i) => `第${i}号旗舰店`),
  )
  expect(await found('d77hqjd')).toEqual(['第77号旗舰店'])
})
