import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { createToken, deleteToken } from '#contract/viewer.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../testing/builders.ts'
import { aChild, aCustomCrowd, anAccount, uploaded } from '../testing/custom-crowds.ts'
import { SOCIAL } from '../testing/platforms.ts'
import { testApp } from '../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())

const PROVIDER = '/api/v1/gdtcrowd'
const FOLDERS = `${PROVIDER}/crowd_dir/custom`
const CUSTOM = `${PROVIDER}/crowd/custom`
const PACKS = `${PROVIDER}/custom/audiences`
const BAD_INPUT = { code: FAULTS.badInput.code }

let made = 0
const newName = () => `名称${++made}`

interface World {
  adv_id: number
  other: number
  account: number
  child: number
  custom: number
  crowd: { id: number; tagId: number; rId: number }
  folder: number
  files: (name?: string) => Promise<{ name: string; size: number; uri: string }[]>
}
let world: World

async function send(method: Endpoint['method'], url: string, payload?: object, headers: Record<string, string> = {}) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { cookie: app.admin.cookie, 'sec-fetch-site': 'same-origin', ...headers },
    ...(payload ? { payload } : {}),
  })
  return answer.json() as { code: number; msg: string; data: unknown }
}

beforeAll(async () => {
  const adv_id = await anAdvertiser(app, '甲方')
  const other = await anAdvertiser(app, '乙方')
  const account = await anAccount(app, adv_id, SOCIAL)
  const imei = 'a'.repeat(32)
  const custom = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: imei }])
  const tag = await aTag(app, adv_id, [1, 2, 3])
  const crowd = await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)))
  await app.settled()
  const child = await aChild(app, custom, account, SOCIAL)
  const { data } = await send('POST', FOLDERS, { name: newName() })
  const files = (name = 'b.txt') => uploaded(app, app.admin, [{ name, content: imei }])
  world = { adv_id, other, account, child, custom, crowd, folder: (data as { id: number }).id, files }
})

type Line = [
  title: string,
  method: Endpoint['method'],
  url: (world: World) => string,
  body: ((world: World) => object | Promise<object>) | null,
  answer: object | ((world: World) => object),
]

const upload = async (body: object) => ({
  user_id_type: 'HASH_IMEI',
  files: await world.files(),
  name: newName(),
  ...body,
})

const LINES: Line[] = [
  [
    'an upload by adv_name and a folder',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ id: w.folder, adv_name: '甲方' }),
    { code: 0 },
  ],
  [
    'an upload by adv_name and a path',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ id: [1, w.folder], adv_name: '甲方' }),
    { code: 0 },
  ],
  [
    'an upload by adv_id and dir_id',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ dir_id: 1, adv_id: w.adv_id }),
    { code: 0 },
  ],
  [
    'an upload with both spellings of one value',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ dir_id: w.folder, id: [1, w.folder], adv_id: w.adv_id, adv_name: '甲方' }),
    { code: 0 },
  ],
  [
    'an upload with two folders',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ dir_id: 1, id: w.folder, adv_name: '甲方' }),
    { ...BAD_INPUT, msg: '「dir_id」与「id」是同一个参数，值不一致' },
  ],
  [
    'an upload with two advertisers',
    'POST',
    () => `${CUSTOM}/add`,
    (w) => upload({ id: 1, adv_id: w.other, adv_name: '甲方' }),
    { ...BAD_INPUT, msg: '「adv_id」与「adv_name」不是同一个广告主' },
  ],
  [
    'an upload for an unknown name',
    'POST',
    () => `${CUSTOM}/add`,
    () => upload({ id: 1, adv_name: '没有' }),
    { code: FAULTS.notFound.code, msg: '广告主不存在或已被删除' },
  ],
  [
    'an upload without an advertiser',
    'POST',
    () => `${CUSTOM}/add`,
    () => upload({ id: 1 }),
    { ...BAD_INPUT, msg: '参数「adv_id」不能缺少' },
  ],
  [
    'an upload without a path',
    'POST',
    () => `${CUSTOM}/add`,
    () => upload({ adv_name: '甲方' }),
    { ...BAD_INPUT, msg: '请选择存储路径' },
  ],
  [
    'an upload into an empty path',
    'POST',
    () => `${CUSTOM}/add`,
    () => upload({ id: [], adv_name: '甲方' }),
    { ...BAD_INPUT, msg: '请选择存储路径' },
  ],

  ['an update that moves', 'PUT', () => `${CUSTOM}/update`, (w) => ({ id: w.custom, dir_id: w.folder }), { code: 0 }],
  [
    'the moved crowd',
    'GET',
    (w) => `${CUSTOM}/get?id=${w.custom}`,
    null,
    (w) => ({ code: 0, data: { crowd: { dir_id: w.folder } } }),
  ],
  [
    'an update that renames and moves, with its type and advertiser',
    'PUT',
    () => `${CUSTOM}/update`,
    (w) => ({ id: w.custom, name: newName(), dir_id: 1, user_id_type: 'HASH_IMEI', advertiser_id: w.adv_id }),
    { code: 0 },
  ],
  [
    'an update by another type',
    'PUT',
    () => `${CUSTOM}/update`,
    (w) => ({ id: w.custom, name: newName(), user_id_type: 'QQ' }),
    { ...BAD_INPUT, msg: '人群的数据类型是 IMEI-MD5，不能修改' },
  ],
  [
    'an update by another advertiser',
    'PUT',
    () => `${CUSTOM}/update`,
    (w) => ({ id: w.custom, name: newName(), advertiser_id: w.other }),
    { ...BAD_INPUT, msg: '人群不属于该广告主' },
  ],
  [
    'an update into no folder',
    'PUT',
    () => `${CUSTOM}/update`,
    (w) => ({ id: w.custom, dir_id: 99_999 }),
    { code: FAULTS.notFound.code },
  ],
  [
    'an update of nothing',
    'PUT',
    () => `${CUSTOM}/update`,
    (w) => ({ id: w.custom, user_id_type: 'HASH_IMEI' }),
    { code: FAULTS.customNothing.code },
  ],

  [
    'a quota by adv_id',
    'GET',
    (w) => `${CUSTOM}/quota?adv_id=${w.account}&cnt_type=1`,
    null,
    { code: 0, data: { used: 1 } },
  ],
  [
    'a quota by advertiser_id',
    'GET',
    (w) => `${CUSTOM}/quota?advertiser_id=${w.account}&cnt_type=1`,
    null,
    { code: 0, data: { used: 1 } },
  ],
  [
    'a quota of packs by adv_id',
    'GET',
    (w) => `${PACKS}/quota/1?adv_id=${w.account}`,
    null,
    { code: 0, data: { used: 1 } },
  ],
  [
    'a quota of packs by advertiser_id',
    'GET',
    (w) => `${PACKS}/quota?advertiser_id=${w.account}`,
    null,
    { code: 0, data: { used: 1 } },
  ],
  [
    'a quota of two accounts',
    'GET',
    (w) => `${CUSTOM}/quota?advertiser_id=${w.account}&adv_id=7&cnt_type=1`,
    null,
    BAD_INPUT,
  ],
  ['a quota of none', 'GET', () => `${CUSTOM}/quota?cnt_type=1`, null, { ...BAD_INPUT, msg: '参数「adv_id」不能缺少' }],

  [
    'packs in several statuses',
    'GET',
    (w) => `${PACKS}/list/1?advertiser_id=${w.account}&status=frozen,available`,
    null,
    { code: 0, data: { page_info: { total_number: 1 } } },
  ],
  [
    'packs in another status',
    'GET',
    (w) => `${PACKS}/list?advertiser_id=${w.account}&status=frozen,expired`,
    null,
    { code: 0, data: { page_info: { total_number: 0 } } },
  ],
  ['packs in no status', 'GET', () => `${PACKS}/list/1?status=nonsense`, null, BAD_INPUT],

  [
    'a custom folder below parent_id',
    'POST',
    () => FOLDERS,
    (w) => ({ name: newName(), parent_id: w.folder }),
    { code: 0 },
  ],
  [
    'a custom folder below parentId',
    'POST',
    () => FOLDERS,
    (w) => ({ name: newName(), parentId: w.folder }),
    { code: 0 },
  ],
  [
    'a custom folder below two',
    'POST',
    () => FOLDERS,
    (w) => ({ name: newName(), parentId: w.folder, parent_id: 1 }),
    { ...BAD_INPUT, msg: '「parent_id」与「parentId」是同一个参数，值不一致' },
  ],
  [
    'a custom folder moved to the top by parentId',
    'PUT',
    (w) => `${FOLDERS}/${w.folder}`,
    () => ({ parentId: null }),
    { code: 0 },
  ],
  [
    'an asset folder below parent_id',
    'POST',
    () => '/api/peopledir',
    () => ({ name: newName(), parent_id: 1 }),
    { code: 0 },
  ],
  [
    'an asset folder below parentId',
    'POST',
    () => '/api/peopledir',
    () => ({ name: newName(), parentId: 1 }),
    { code: 0 },
  ],
  [
    'an asset folder below two',
    'POST',
    () => '/api/peopledir',
    () => ({ name: newName(), parentId: 1, parent_id: null }),
    BAD_INPUT,
  ],
  [
    'one custom folder',
    'GET',
    (w) => `${FOLDERS}/${w.folder}`,
    null,
    (w) => ({ code: 0, data: { id: w.folder, parent_id: null, sub_dirs: [{}, {}] } }),
  ],
  ['a custom folder that is not there', 'GET', () => `${FOLDERS}/99999`, null, { code: FAULTS.notFound.code }],

  [
    'a rule crowd’s update',
    'PUT',
    (w) => `/api/people/${w.crowd.id}`,
    () => ({ name: newName(), ver: 1 }),
    (w) => ({ code: 0, data: { id: w.crowd.id, tagId: w.crowd.tagId, ver: 2 } }),
  ],
  [
    'an update that changes nothing',
    'PUT',
    (w) => `/api/people/${w.crowd.id}`,
    () => ({ dirId: 1 }),
    (w) => ({ code: 0, data: { id: w.crowd.id, tagId: w.crowd.tagId, ver: 2 } }),
  ],

  ...['1', 'true'].map(
    (check): Line => [
      `check=${check}`,
      'DELETE',
      (w) => `${CUSTOM}/delete?id=${w.child}&advertiser_id=${w.account}&cnt_type=1&check=${check}`,
      null,
      { code: 0 },
    ],
  ),
  [
    'check=yes',
    'DELETE',
    (w) => `${CUSTOM}/delete?id=${w.custom}&advertiser_id=${w.adv_id}&check=yes`,
    null,
    BAD_INPUT,
  ],
  ['the checked audience is still there', 'GET', (w) => `${PACKS}/get?id=${w.child}`, null, { code: 0 }],
  [
    'check=true of a folder',
    'DELETE',
    (w) => `${FOLDERS}/${w.folder}?check=true`,
    null,
    { code: FAULTS.folderHoldsCrowds.code },
  ],
  [
    'check=false of a folder',
    'DELETE',
    (w) => `${FOLDERS}/${w.folder}?check=false`,
    null,
    { code: FAULTS.folderHoldsCrowds.code },
  ],
]

test.each(LINES)('the wire takes %s', async (_, method, url, body, answer) => {
  const given = await send(method, url(world), body ? await body(world) : undefined)
  expect(given).toMatchObject(typeof answer === 'function' ? answer(world) : answer)
})

test.each([
  ['POST', () => FOLDERS, () => ({ name: newName(), parent: 1 }), '「parent」'],
  ['POST', () => `${CUSTOM}/add`, (w: World) => upload({ adv_id: w.adv_id, dir_id: 1, directory: 2 }), '「directory」'],
  [
    'POST',
    () => `${CUSTOM}/add`,
    async (w: World) => ({
      ...(await upload({ adv_id: w.adv_id, dir_id: 1 })),
      files: [{ ...(await w.files())[0], sise: 1 }],
    }),
    '「files.0.sise」',
  ],
  [
    'PUT',
    (w: World) => `/api/peoplerule/${w.crowd.rId}`,
    (w: World) => ({ advId: w.adv_id, rule: { ...leaf('a', 'n', tagged(1)), negate: true } }),
    '「rule.negate」',
  ],
  [
    'POST',
    () => '/api/tag/preview',
    (w: World) => ({
      adv_id: w.adv_id,
      definition: { kind: 'attribute', attribute: 'city', condition: { is: 'exists', value: '1', not: true } },
    }),
    '「definition.condition.value」、「definition.condition.not」',
  ],
  ['POST', (w: World) => `/api/people/${w.crowd.id}/compute`, () => ({ now: true }), '「now」'],
] as const)('%s refuses a key that it does not know, by name', async (method, url, body, keys) => {
  const given = await send(method, url(world), await body(world))
  expect(given).toMatchObject({ ...BAD_INPUT, msg: `请求内容中有不认识的参数：${keys}` })
})

test('a wrong or revoked token answers its own sentence, and an ended session another', async () => {
  const { id, token } = await app.admin.get(createToken, { body: { name: 't' } })
  const ask = (headers: Record<string, string>) => send('GET', '/api/viewer', undefined, { cookie: '', ...headers })
  expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ code: 0 })
  await app.admin.get(deleteToken, { params: { id } })
  for (const one of [token, 'nonsense', 'two words']) {
    const answer = await ask({ authorization: `Bearer ${one}` })
    expect(answer).toMatchObject({ code: FAULTS.tokenInvalid.code, msg: '令牌无效或已撤销' })
  }
  expect(await ask({ cookie: 'renqun_session=ended' })).toMatchObject({ code: FAULTS.signedOut.code, msg: '请先登录' })
  expect(await ask({ authorization: 'Bearer rqf_ended' })).toMatchObject({ code: FAULTS.signedOut.code })
})
