import { describe, expect, test } from 'vitest'
import { verdictOf as socialVerdict } from './social/codes.ts'
import { verdictOf as videoVerdict } from './video/codes.ts'

/** 2026-11-21 20:00 in China; four hours of the day are left. */
const now = Date.UTC(2026, 10, 21, 12) / 1000
const quiet = { now, asked: null }

describe('what a refusal means', () => {
  test.each([
    [11000, 'unauthorised', { again: 'token' }],
    [11002, 'unauthorised', {}],
    [11017, 'later', { hold: { scope: 'accountInterface', seconds: 300, grows: true } }],
    [11018, 'notYet', { hold: { scope: 'accountInterface', seconds: 4 * 3600 } }],
    [11008, 'later', { hold: { scope: 'interface', seconds: 300 } }],
    [12010, 'configuration', { again: 'changed' }],
    [12100, 'later', { again: 'changed' }],
    [30001, 'later', { fault: { isUncertain: true } }],
    [50005, 'gone', {}],
    [50007, 'nameTaken', {}],
    [50008, 'quota', {}],
    [50023, 'inUse', {}],
    [50044, 'refused', {}],
    [54307, 'later', { fault: { retryAfter: 30 } }],
    [99999, 'refused', {}],
  ])('social %i is %s', (code, kind, more) => {
    const verdict = socialVerdict({ code, message: 'no', message_cn: '不行' }, quiet)
    expect(verdict).toMatchObject({ fault: { kind, code, message: `不行（${code}）` } })
    expect(verdict).toMatchObject(more)
  })

  test("an unknown code that the platform calls its own system's error is retried", () => {
    const verdict = socialVerdict({ code: 77, message: 'oops', code_type: 'SysException' }, quiet)
    expect(verdict).toMatchObject({ fault: { kind: 'later', isUncertain: true, message: 'oops（77）' } })
  })

  test.each([
    [40102, '', 'unauthorised', { again: 'token' }],
    [40107, '', 'unauthorised', {}],
    [40110, '', 'later', { hold: { scope: 'interface', seconds: 300, grows: true } }],
    [40130, '', 'later', { hold: { scope: 'account', seconds: 60, grows: true } }],
    [40113, '', 'configuration', {}],
    [50000, '', 'later', { fault: { isUncertain: true } }],
    [40000, '数据源名称重复', 'nameTaken', {}],
    [40000, '人群包名称已存在，请修改', 'nameTaken', {}],
    [40000, '人群包正在被计划使用，不可删除', 'inUse', {}],
    [40000, '同一人群包24小时内只能发布一次', 'notYet', {}],
    [40000, '每天最多创建100个数据源', 'notYet', { fault: { retryAfter: 4 * 3600 } }],
    [40000, '人群包数量已达上限400', 'quota', {}],
    [40000, '人群包不存在', 'gone', {}],
    [40000, '数据源正在处理中，请稍后再试', 'later', {}],
    [40000, '人群正在发布中', 'later', {}],
    [40000, 'file_paths: 文件不存在: dmp/1', 'refused', {}],
    [40000, 'target_advertiser_ids: 不是同一主体的广告主: 1', 'refused', {}],
    [40000, 'advertiser_id: 缺少字段', 'refused', {}],
    [12345, '没见过', 'refused', {}],
  ])('video %i %s is %s', (code, message, kind, more) => {
    const verdict = videoVerdict({ code, message }, quiet)
    expect(verdict).toMatchObject({ fault: { kind, code } })
    expect(verdict).toMatchObject(more)
  })

  test('a wait that the headers ask for takes precedence over ours', () => {
    const penalty = videoVerdict({ code: 40110 }, { now, asked: 240 })
    expect(penalty).toMatchObject({ fault: { retryAfter: 240 }, hold: { seconds: 240 } })
    expect(penalty.hold).not.toHaveProperty('grows')
    expect(socialVerdict({ code: 11017 }, { now, asked: 5 })).toMatchObject({
      fault: { retryAfter: 5 },
      hold: { seconds: 5 },
    })
  })
})
