import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { addTargeting, copyTargeting, deleteTargetings } from '#contract/targeting-package.ts'
import * as contract from '#contract/targeting-template.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

let adv_id: number
let account: number
let package_id: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  account = await aCommerceAccount(app, adv_id)
  package_id = await aPackage(app, account, {
    targeting: {
      landing_type: 'VIDEO',
      gender: ['GENDER_FEMALE'],
      auto_crowd_mode: [1],
      retargeting_tags_include: ['5'],
    },
  })
})

const add = (name: string, id = package_id) => app.admin.call(contract.addTemplate, { body: { package_id: id, name } })
const list = (query: object = {}) => app.admin.get(contract.listTemplates, { query: { platform: COMMERCE, ...query } })
const named = async () => (await list()).list.map(({ name }) => name)
const get = (query: object) => app.admin.call(contract.getTemplate, { query })

test('a package becomes a template of its advertiser, without the crowds of its account', async () => {
  const added = await add('年轻女性')
  expect(added.data.changes.map(({ label, words }) => [label, words])).toEqual([['定向人群', ['5']]])
  expect((await list()).list).toMatchObject([
    { id: added.data.id, name: '年轻女性', adv_id, platform: COMMERCE, landing_type: 'VIDEO', summary: ['性别：女'] },
  ])
  const { targeting } = (await get({ id: added.data.id })).data
  expect(targeting).toMatchObject({ landing_type: 'VIDEO', gender: ['GENDER_FEMALE'] })
  expect(targeting).not.toHaveProperty('retargeting_tags_include')
  const body = { targeting_name: '新包', dir_id: 1, advertiser_id: account, targeting }
  expect(await app.admin.call(addTargeting, { body })).toMatchObject({ code: 0 })
})

test('regions are told by name', async () => {
  const { ready } = await list()
  expect(ready.flatMap(({ summary }) => summary.filter((line) => line.startsWith('地域')))).toContain(
    '地域：北京市、上海市、广州市、深圳市、天津市 等 35 项',
  )
})

test('it outlives its package, and changes with none', async () => {
  const { id } = (await add('年轻女性')).data
  await app.admin.get(deleteTargetings, { query: { id: String(package_id) } as never })
  expect((await get({ id })).data.name).toBe('年轻女性')
  expect(await add('又一个')).toMatchObject({ code: FAULTS.notFound.code })
})

test('a name is free once for each advertiser and platform', async () => {
  await add('年轻女性')
  expect(await add('年轻女性')).toMatchObject({ code: FAULTS.savedNameTaken.code, status: 409 })
  const { id } = (await add('其他')).data
  const rename = (name: string) => app.admin.call(contract.renameTemplate, { body: { id, name } })
  expect(await rename('年轻女性')).toMatchObject({ code: FAULTS.savedNameTaken.code })
  expect((await rename('不 行')).msg).toContain('名称只支持中英文')
  expect(await rename('改名')).toMatchObject({ code: 0 })
  expect(await named()).toEqual(['改名', '年轻女性'])
  const elsewhere = await aPackage(app, await aCommerceAccount(app, await anAdvertiser(app)))
  expect(await add('年轻女性', elsewhere)).toMatchObject({ code: 0 })
})

test('of two who save one name at once one is refused', async () => {
  const answers = await Promise.all(['同名', '同名', '同名'].map((name) => add(name)))
  expect(answers.map(({ code }) => code).toSorted()).toEqual([
    0,
    FAULTS.savedNameTaken.code,
    FAULTS.savedNameTaken.code,
  ])
})

test('a template is deleted once', async () => {
  const { id } = (await add('年轻女性')).data
  const remove = () => app.admin.call(contract.deleteTemplate, { body: { id } })
  expect(await remove()).toMatchObject({ code: 0 })
  expect(await remove()).toMatchObject({ code: FAULTS.notFound.code })
  expect(await named()).toEqual([])
  const actions = await db.selectFrom('audit').select('action').where('action', 'like', 'targeting_template%').execute()
  expect(actions.map(({ action }) => action)).toEqual(['targeting_template.create', 'targeting_template.delete'])
})

test('an advertiser has no more templates of a platform than the bound', async () => {
  await add('首个')
  const rest = sql.raw('adv_id, platform, targeting, creator_id, created_at')
  await sql`insert into targeting_template (name, ${rest})
    select '模板' || n, ${rest} from targeting_template, generate_series(2, ${contract.TEMPLATES_MAX}::int) n`.execute(
    db,
  )
  expect((await add('多一个')).msg).toContain(`模板最多 ${contract.TEMPLATES_MAX} 个`)
})

test('ready templates are there for everybody, and can be started from', async () => {
  const { ready } = await list()
  expect(ready[0]).toMatchObject({ name: '一二线年轻女性', summary: expect.arrayContaining(['性别：女']) })
  for (const { key } of ready) {
    const { targeting } = (await get({ key, platform: COMMERCE })).data
    const body = { targeting_name: `包-${key}`, dir_id: 1, advertiser_id: account, targeting }
    expect(await app.admin.call(addTargeting, { body })).toMatchObject({ code: 0 })
  }
  expect(await get({ key: 'none', platform: COMMERCE })).toMatchObject({ code: FAULTS.notFound.code })
  expect(await get({})).toMatchObject({ code: FAULTS.notFound.code })
})

test('templates of other advertisers are neither seen nor changed', async () => {
  const { id } = (await add('机密')).data
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const notFound = { code: FAULTS.notFound.code }
  for (const query of [{}, { adv_id }]) {
    expect((await stranger.get(contract.listTemplates, { query: { platform: COMMERCE, ...query } })).list).toEqual([])
  }
  expect(await stranger.call(contract.getTemplate, { query: { id } })).toMatchObject(notFound)
  expect(await stranger.call(contract.renameTemplate, { body: { id, name: '偷' } })).toMatchObject(notFound)
  expect(await stranger.call(contract.deleteTemplate, { body: { id } })).toMatchObject(notFound)
  expect(await stranger.call(contract.addTemplate, { body: { package_id, name: '偷' } })).toMatchObject(notFound)
  expect(await stranger.call(copyTargeting, { body: { id: package_id } })).toMatchObject(notFound)
  expect(await named()).toEqual(['机密'])
})
