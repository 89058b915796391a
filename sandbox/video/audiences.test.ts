import { describe, expect, test } from 'vitest'
import { dmpLine, FOREIGN_ACCOUNT } from '../testing.ts'
import { ACCOUNT, adv, DAY, hashes, IMEI_MD5, id, OTHER, videoForTest } from './testing.ts'

const { bench, now, caller, uploaded, aSource, sourceRow, audienceRow, anAudience, act } = await videoForTest()
const toOther = { target_advertiser_ids: [id(OTHER)] }

describe('publishing and pushing', () => {
  const PREFIX = 'CUSTOM_AUDIENCE_DELIVERY_STATUS_'
  const delivery = async (audience: unknown) =>
    String((await audienceRow(audience)).delivery_status).replace(PREFIX, '')

  test('a published and pushed audience appears in the other account', async () => {
    const audience = await anAudience(1, 2, 3)
    expect(await delivery(audience)).toBe('NEED_PUBLISH')
    expect((await act('push_v2', audience, toOther)).message).toContain('尚未发布')
    expect((await act('publish', audience)).code).toBe(0)
    expect(await delivery(audience)).toBe('NEED_PUSH')
    const mine = async (select_type: number) => {
      const { data } = await caller.get('dmp/custom_audience/select/', { advertiser_id: id(OTHER), select_type })
      return data.custom_audience_list.map(({ custom_audience_id }) => custom_audience_id)
    }
    expect(await mine(0)).not.toContain(audience)
    expect((await act('push_v2', audience, toOther)).code).toBe(0)
    expect(await delivery(audience)).toBe('AVAILABLE')
    expect(await audienceRow(audience)).toMatchObject({ status: 10, push_status: 2 })
    expect(await mine(0)).toContain(audience)
    expect(await mine(1)).toContain(audience)
  })

  test('publishing is allowed once in 24 hours', async () => {
    await bench.control('switches', { access_token_seconds: 100 * DAY })
    now.token = await bench.token('video', [ACCOUNT, OTHER])
    const audience = await anAudience(1)
    await act('publish', audience)
    expect((await act('publish', audience)).message).toContain('24小时')
    await bench.control('clock', { advance: DAY + 1 })
    expect((await act('publish', audience)).code).toBe(0)
  })

  test('publishing takes time, and other steps are refused meanwhile', async () => {
    const audience = await anAudience(1)
    await bench.control('switches', { processing_seconds: 100 })
    await act('publish', audience)
    expect((await act('publish', audience)).message).toContain('发布中')
    expect((await act('push_v2', audience, toOther)).message).toContain('发布中')
    await bench.control('clock', { advance: 101 })
    await bench.control('settle')
    await act('push_v2', audience, toOther)
    expect(await audienceRow(audience)).toMatchObject({ status: 14, push_status: 1 })
    await bench.control('clock', { advance: 101 })
    await bench.control('settle')
    expect(await audienceRow(audience)).toMatchObject({ status: 10, push_status: 2 })
  })

  test('a changed audience must be published again, and is then available without another push', async () => {
    await bench.control('switches', { video_publish_every_seconds: 0 })
    const source = await aSource(dmpLine(IMEI_MD5, hashes(1)))
    const audience = (await sourceRow(source)).default_audience?.custom_audience_id
    await act('publish', audience)
    await act('push_v2', audience, toOther)
    const body = { ...adv, data_source_id: source, operation_type: 1, data_format: 0, file_storage_type: 0 }
    const file_paths = [await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(2)) })]
    await caller.post('dmp/data_source/update/', { ...body, file_paths })
    await bench.control('settle')
    expect(await delivery(audience)).toBe('NEED_PUBLISH')
    await act('publish', audience)
    expect(await delivery(audience)).toBe('AVAILABLE')
    const { change_logs, lastest_published_change_log_id } = await sourceRow(source)
    expect(lastest_published_change_log_id).toBe(change_logs[0]?.change_log_id)
  })

  test.each([
    ['another company', [id(FOREIGN_ACCOUNT)], '同一主体'],
    ['an unknown account', [9n], '不存在'],
    ['an empty list', [], '不能为空'],
    ['101 accounts', Array.from({ length: 101 }, () => id(OTHER)), '100'],
  ])('an audience is not pushed to %s', async (_, target_advertiser_ids, word) => {
    const audience = await anAudience(1)
    await act('publish', audience)
    expect((await act('push_v2', audience, { target_advertiser_ids })).message).toContain(word)
  })

  test('an audience in use is not deleted; a deleted one can still be read', async () => {
    const audience = await anAudience(1)
    await bench.control('audiences/set', { platform: 'video', audience_id: String(audience), used_by: 'ad' })
    expect(await act('delete', audience)).toMatchObject({
      code: 40000,
      message: expect.stringContaining('正在被计划使用'),
    })
    await bench.control('audiences/set', { platform: 'video', audience_id: String(audience), used_by: null })
    expect(await act('delete', audience)).toMatchObject({ code: 0, data: { custom_audience_id: audience } })
    expect(await audienceRow(audience)).toMatchObject({ isdel: 1, status: 22 })
    expect((await act('publish', audience)).message).toContain('不存在')
  })
})
