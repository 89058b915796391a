import { beforeEach, describe, expect, test } from 'vitest'
import { parseJson } from '../json.ts'
import { ACCOUNT, adv, id, videoForTest } from './testing.ts'

const { bench, now, caller, anAudience } = await videoForTest()

let made = 0
const body = (more: object = {}) => ({
  ...adv,
  name: `定向包${++made}`,
  description: '说明',
  landing_type: 'EXTERNAL',
  ...more,
})
const create = (more: object = {}) => caller.post('audience_package/create/', body(more))
const update = (audience_package_id: unknown, more: object) =>
  caller.post('audience_package/update/', { ...adv, audience_package_id, ...more })
const remove = (audience_package_id: unknown) =>
  caller.post('audience_package/delete/', { ...adv, audience_package_id })
async function aPackage(more: object = {}): Promise<bigint> {
  const { code, message, data } = await create(more)
  expect({ code, message }).toEqual({ code: 0, message: 'OK' })
  return data.audience_package_id
}
const v3 = async (path: string, query: object) => {
  const url = new URL(`${bench.box.videoUrl}/open_api/v3.0/${path}/`)
  for (const [name, value] of Object.entries({ advertiser_id: ACCOUNT, ...query })) {
    url.searchParams.set(name, String(value))
  }
  const answer = await fetch(url, { headers: { 'access-token': now.token } })
  return parseJson(await answer.text()) as unknown as {
    code: number
    message: string
    data: Record<string, Record<string, unknown>[]>
  }
}
const listed = async (query: object = {}) => (await v3('audience_package/get', { page_size: 100, ...query })).data
const rowOf = async (package_id: bigint) =>
  (await listed()).audience_packages?.find((row) => row.audience_package_id === package_id)

beforeEach(() => bench.control('switches', { video_packages: 1000 }))

describe('a package', () => {
  test('is read with the names and types of the reading call', async () => {
    const crowd = await anAudience(1, 2)
    const package_id = await aPackage({
      gender: 'NONE',
      age: ['AGE_BETWEEN_18_23'],
      district: 'REGION',
      region_version: '2.3.2',
      city: [440300],
      location_type: 'HOME',
      retargeting_tags: [crowd],
      hide_if_exists: 1,
      filter_aweme_abnormal_active: 1,
      aweme_fan_behaviors: ['LIKED_USER'],
      aweme_fan_accounts: [9_207_199_254_750_001n],
    })
    const row = await rowOf(package_id)
    expect(row).toMatchObject({
      gender: 'GENDER_UNLIMITED',
      age: ['AGE_BETWEEN_18_23'],
      city: [440300],
      retargeting_tags_include: [crowd],
      retargeting_tags_exclude: [],
      hide_if_exists: 'FILTER',
      filter_aweme_abnormal_active: 'ON',
      aweme_fan_accounts: ['9207199254750001'],
      aweme_fan_time_scope: 'FIFTEEN_DAYS',
      marketing_goal: 'VIDEO_AND_IMAGE',
      ad_type: 'ALL',
    })
    expect(row).not.toHaveProperty('retargeting_tags')
    expect(row).not.toHaveProperty('create_time')
  })

  test('keeps what an update leaves out, and forgets what no longer applies', async () => {
    const package_id = await aPackage({
      gender: 'GENDER_MALE',
      interest_action_mode: 'CUSTOM',
      action_days: 30,
      action_categories: [5],
    })
    expect((await update(package_id, { age: ['AGE_ABOVE_60'] })).code).toBe(0)
    expect(await rowOf(package_id)).toMatchObject({ gender: 'GENDER_MALE', age: ['AGE_ABOVE_60'], action_days: 30 })
    expect((await update(package_id, { interest_action_mode: 'UNLIMITED' })).code).toBe(0)
    expect(await rowOf(package_id)).not.toHaveProperty('action_categories')
    expect((await update(package_id, { landing_type: 'LIVE' })).message).toContain('landing_type')
  })

  test('has a name of its own, of which a deleted one is free again', async () => {
    const name = `重名${++made}`
    const package_id = await aPackage({ name })
    expect(await create({ name })).toMatchObject({ code: 40000, message: `定向包名称已存在: ${name}` })
    expect((await remove(package_id)).code).toBe(0)
    expect((await remove(package_id)).message).toContain('不存在')
    await aPackage({ name })
  })

  test('is the 201st that is refused', async () => {
    await bench.control('switches', { video_packages: 200 })
    const { page_info } = await listed()
    const { total_number = 0 } = page_info as unknown as { total_number: number }
    for (let no = total_number; no < 200; no++) await aPackage()
    expect(await create()).toMatchObject({ code: 40000, message: '定向包数量已达上限: 200' })
  })

  test('stays while a live project uses it, as does a crowd that it uses', async () => {
    const crowd = await anAudience(7)
    const package_id = await aPackage({ retargeting_tags_exclude: [crowd] })
    const project = await bench.control('projects', {
      account_id: ACCOUNT,
      name: '双十一',
      package_id: String(package_id),
    })
    const bound = () => v3('audience_package_bindinfo/get', { audience_package_id: package_id, page: 1, page_size: 10 })
    expect((await bound()).data.list).toEqual([{ project_id: id(String(project.id)), project_name: '双十一' }])
    expect((await remove(package_id)).message).toContain('正在被计划使用')
    const deletion = () =>
      caller.post('dmp/custom_audience/delete/', { ...adv, custom_audience_id: crowd }).then(({ message }) => message)
    expect(await deletion()).toContain('正在被定向包使用')
    await bench.control('projects/set', { id: project.id, status: 'DISABLE' })
    const { data } = await v3('project/list', { filtering: `{"ids":[${project.id}]}` })
    expect(data.list).toMatchObject([{ status_first: 'PROJECT_STATUS_DISABLE', name: '双十一' }])
    expect((await remove(package_id)).code).toBe(0)
    expect(await deletion()).toBe('OK')
  })

  test('is another account’s, and not found', async () => {
    const package_id = await aPackage()
    const other = { ...adv, advertiser_id: id('9107199254750005'), audience_package_id: package_id }
    expect((await caller.post('audience_package/delete/', other)).message).toContain('不存在')
  })
})

describe('refused by name', () => {
  const REGION = { district: 'REGION', region_version: '2.3.2', city: [440300], location_type: 'HOME' }
  const place = { name: '世界之窗', long: 113.973129, lat: 22.536874, radius: 3000 }
  test.each<[string, object, string]>([
    ['no description', { description: undefined }, 'description'],
    ['an unknown landing type', { landing_type: 'APP' }, 'landing_type'],
    ['ages of both sets', { age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_31_35'] }, 'age'],
    ['ages with a hyphen', { age: ['AGE_BETWEEN_18-19'] }, 'age'],
    ['regions without their version', { ...REGION, region_version: undefined }, 'region_version'],
    ['regions without a code', { ...REGION, city: [] }, 'city'],
    ['a region that does not exist', { ...REGION, city: [999999] }, 'city'],
    ['regions without the kind of people', { ...REGION, location_type: undefined }, 'location_type'],
    ['the older kind of region', { ...REGION, district: 'CITY' }, 'district'],
    ['codes without a kind of region', { city: [440300] }, 'city'],
    ['a place without 商圈', { geolocation: [place] }, 'geolocation'],
    ['a circle of 2 km', { district: 'BUSINESS_DISTRICT', geolocation: [{ ...place, radius: 2000 }] }, 'radius'],
    ['an unknown 商圈', { district: 'BUSINESS_DISTRICT', business_ids: [1] }, 'business_ids'],
    ['no place at all', { district: 'BUSINESS_DISTRICT' }, 'geolocation'],
    ['behaviours without CUSTOM', { action_categories: [5] }, 'action_categories'],
    ['days that do not exist', { interest_action_mode: 'CUSTOM', action_days: 14 }, 'action_days'],
    ['one price', { launch_price: [500] }, 'launch_price'],
    ['a price between two steps', { launch_price: [0, 750] }, 'launch_price'],
    ['prices the wrong way round', { launch_price: [1000, 500] }, 'launch_price'],
    ['a computer and a phone', { platform: ['PC', 'IOS'] }, 'platform'],
    ['HarmonyOS for a page', { platform: ['HARMONY'] }, 'platform'],
    ['HarmonyOS without its version', { landing_type: 'APP_HARMONY', platform: ['HARMONY'] }, 'harmony_osv'],
    ['Apple for an Android app', { landing_type: 'APP_ANDROID', device_brand: ['APPLE'] }, 'device_brand'],
    ['others for an iOS app', { landing_type: 'APP_IOS', device_brand: ['VIVO'] }, 'device_brand'],
    ['expansion of ages without any', { auto_extend_targets: ['AGE'] }, 'auto_extend_targets'],
    ['a crowd that does not exist', { retargeting_tags: [5] }, 'retargeting_tags'],
    ['search ads for goods', { landing_type: 'GOODS', ad_type: 'SEARCH' }, 'ad_type'],
  ])('%s', async (_, more, name) => {
    const { code, message } = await create(more)
    expect(code).toBe(40000)
    expect(message).toContain(name)
  })
})
