import { describe, expect, test } from 'vitest'
import { PLATFORMS } from '../platform.ts'
import { leftOutWords } from './there.ts'

const { social, video, commerce } = PLATFORMS
const one = (field: string, ...values: string[]) => [{ field, values, count: values.length }]

describe('what our targeting cannot hold of a package made on its platform', () => {
  test.each([
    [video.code, one('hide_if_converted', 'APP'), '过滤已转化用户', ['同应用']],
    [video.code, one('age', 'AGE_ABOVE_0_17'), '年龄', ['18 岁以下']],
    [commerce.code, one('electric_fence_region', '2'), '电子围栏地域', ['2']],
    [social.code, one('network_type', 'WIFI', 'NET_6G'), '联网方式', ['Wi-Fi', 'NET_6G']],
    [
      social.code,
      one('excluded_converted_audience.excluded_day', 'EXCLUDED_DAY_ONE_DAY'),
      '排除已转化用户的时间',
      ['1 天'],
    ],
    // Another platform's word is none of this one's.
    [social.code, one('hide_if_converted', 'APP'), 'hide_if_converted', ['APP']],
    [video.code, one('moon_phase', 'FULL'), 'moon_phase', ['FULL']],
    [video.code, one('toString', 'constructor'), 'toString', ['constructor']],
  ])('on platform %i %o is called %s %o', (platform, leftOut, label, words) => {
    expect(leftOutWords(platform, leftOut)).toEqual([{ field: leftOut[0]?.field, label, words }])
  })

  test('says how many there are where not all are kept', () => {
    const [said] = leftOutWords(video.code, [{ field: 'city', values: ['110000', '310000'], count: 340 }])
    expect(said?.words).toEqual(['110000', '310000', '等 340 项'])
  })
})
