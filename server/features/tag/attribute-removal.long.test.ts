import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { getLinkUserProfile } from '#contract/link-user-profile.ts'
import { deleteRuleCrowd } from '#contract/rule-crowd.ts'
import { setConsent } from '#contract/suppression.ts'
import { ATTRIBUTE_TAG, createTag, deleteTag, getTagTree, listCategories, listTags } from '#contract/tag.ts'
import { deleteAttribute, listFields, updateAttribute } from '#contract/tag-field.ts'
import { listTasks } from '#contract/task.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { silent } from '../../testing/jobs.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, failOnce, people, track } from '../../testing/tracking.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
let key: string
beforeEach(async () => {
  vi.restoreAllMocks()
  await app.reset()
  adv_id = await anAdvertiser(app)
  key = await aWriteKey(app, adv_id)
  const identify = (userId: string, traits: object) => ({ type: 'identify', userId, traits })
  await track(app, '/v1/batch', key, {
    batch: [
      identify('u1', { 城市: '北京', 等级: '金' }),
      identify('u2', { 城市: '上海', 等级: '银' }),
      identify('u3', { 城市: '上海' }),
    ],
  })
  await app.settled()
})

const remove = (name = '城市') => app.admin.call(deleteAttribute, { query: { adv_id, name } })
const attributes = async () => (await app.admin.get(listFields, { query: { adv_id } })).attributes
const names = async () => (await attributes()).map(({ name }) => name)
const tags = async () => {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return data.flatMap((category) => category.group ?? []).map(({ tag, count }) => `${tag} ${count}`)
}
const tagId = async (name: string) => {
  const { list } = await app.admin.get(listTags, { query: { adv_id, page: 1, page_size: 100 } })
  return list.find((tag) => tag.name === name)?.id ?? 0
}
const refusedFor = (params: object) => ({
  status: 409,
  code: FAULTS.attributeNotDeletable.code,
  outcome: { code: 'attribute_in_use', params },
})

test('an attribute goes with its values, its tags and what was settled about it; people and others stay', async () => {
  const dictionary = [{ value: '北京', label: '首都' }]
  await app.admin.get(updateAttribute, {
    body: { adv_id, name: '城市', display_name: '所在地', type: 'text', dictionary },
  })
  await app.settled()
  const others = (await tags()).filter((tag) => !/首都|上海/.test(tag))
  expect(await remove()).toMatchObject({ code: 0 })
  await app.settled()
  expect(await names()).toEqual(['等级'])
  expect(await tags()).toEqual(others)
  const { list } = await app.admin.get(listCategories, { query: { adv_id } })
  expect(list.map(({ name }) => name)).not.toContain('所在地')
  expect(Object.keys(await people(app, adv_id))).toEqual(['u1', 'u2', 'u3'])
  const profile = await app.admin.get(getLinkUserProfile, { query: { adv_id, oneID: 'u1' } })
  expect(JSON.stringify(profile)).not.toContain('北京')
  const { db } = app.stores.postgres
  const audited = await db.selectFrom('audit').select('detail').where('action', '=', 'attribute.delete').execute()
  expect(audited).toMatchObject([{ detail: { adv_id, name: '城市' } }])

  // What the key sends later brings it anew, without former values and settings.
  await track(app, '/v1/identify', key, { userId: 'u3', traits: { 城市: '广州' } })
  await app.settled()
  expect((await attributes()).find(({ name }) => name === '城市')).toMatchObject({
    ...{ display_name: '城市', is_type_fixed: false, named: 0, distinct: 1, values: ['广州'] },
  })
  expect(await tags()).toContain('广州 1')
  // Nobody has a former value.
  expect((await tags()).filter((tag) => /北京|上海|首都/.test(tag))).toEqual([])
})

test('while a rule, a tag of a viewer or the consent setting uses it, it stays, and each use is named', async () => {
  const crowd = await aCrowd(app, adv_id, leaf('a', 'u', tagged(await tagId('北京'))), { name: '北京的人' })
  const category = (await app.admin.get(listCategories, { query: { adv_id } })).list.find(
    ({ tag_type, name }) => tag_type === ATTRIBUTE_TAG && name === '城市',
  )
  const own = await app.admin.get(createTag, {
    body: {
      ...{ adv_id, name: '一线', category_id: category?.id ?? 0 },
      definition: { kind: 'attribute', attribute: '城市', condition: { is: 'in', values: ['北京', '上海'] } },
    },
  })
  await app.admin.get(setConsent, { body: { adv_id, attribute: '城市', refused_values: ['拒'] } })
  await app.settled()
  const all = { name: '城市', crowds: ['北京的人'], tags: ['一线'], drafts: 0, consent: true }
  expect(await remove()).toMatchObject(refusedFor(all))

  await app.admin.get(setConsent, { body: { adv_id, attribute: null, refused_values: [] } })
  await app.admin.get(deleteTag, { params: { id: own.id } })
  expect(await remove()).toMatchObject(refusedFor({ ...all, tags: [], consent: false }))
  // A deleted crowd may be restored.
  await app.admin.get(deleteRuleCrowd, { params: { id: crowd.id } })
  expect(await remove()).toMatchObject(refusedFor({ ...all, tags: [], consent: false }))
  const { db } = app.stores.postgres
  await db.deleteFrom('crowd_use').execute()
  await db.deleteFrom('people').execute()
  await db.deleteFrom('rule').execute()
  expect(await remove()).toMatchObject({ code: 0 })
  await app.settled()
  expect(await names()).toEqual(['等级'])
})

test('an attribute that a file brought too goes by undoing the file', async () => {
  const upload_id = await uploadTo(app, app.admin, 'id,城市\nu9,深圳\n', '会员.csv')
  const mapping = { kind: 'users' as const, id: 'id', identifiers: [], skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect(await remove()).toMatchObject({
    status: 409,
    outcome: { code: 'attribute_of_files', params: { name: '城市', files: ['会员.csv'] } },
  })
  expect(await remove('等级')).toMatchObject({ code: 0 })
  expect(await remove('没有')).toMatchObject({ code: FAULTS.tagUnknownField.code })
  await app.settled()
  expect(await names()).toEqual(['城市'])
})

test('what came into use before its turn stays whole, and the task says why', async () => {
  const { jobs } = app.stores
  const held: Parameters<typeof jobs.send>[] = []
  const real = jobs.send.bind(jobs)
  const hold = vi.spyOn(jobs, 'send').mockImplementationOnce(async (...sent) => {
    held.push(sent)
    return { task_id: null } as never
  })
  expect(await remove()).toMatchObject({ code: 0 })
  hold.mockRestore()
  await app.admin.get(setConsent, { body: { adv_id, attribute: '城市', refused_values: ['拒'] } })
  const [, name, data, options] = held[0] ?? []
  silent()
  await app.stores.postgres.db.transaction().execute((tx) => real(tx, name as never, data as never, options as never))
  await app.settled()
  expect(await attributes()).toMatchObject([{ name: '城市', distinct: 2 }, { name: '等级' }])
  const { list } = await app.admin.get(listTasks, { query: {} } as never)
  expect(list.find(({ title }) => title === '删除属性「城市」')).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('「同意」的设置'),
  })
})

test.each<[RegExp, 'before' | 'after']>([
  [/ALTER TABLE person_row UPDATE/, 'before'],
  [/ALTER TABLE person_row UPDATE/, 'after'],
])('a removal that is killed at %s, %s it, is ended by its next run', async (statement, when) => {
  silent()
  const hasFailed = failOnce(app, statement, when)
  expect(await remove()).toMatchObject({ code: 0 })
  await app.settled()
  expect(hasFailed()).toBe(true)
  expect(await names()).toEqual(['等级'])
  expect(await tags()).not.toContain('北京 1')
})
