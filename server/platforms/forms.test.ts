import { expect, test } from 'vitest'
import { keysOf } from '#contract/common.ts'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { AUDIENCE_CODES, audienceInfo } from '#contract/platform.ts'
import { openPlatforms } from './open.ts'
import { socialForm } from './social/forms.ts'
import { videoForm } from './video/forms.ts'

const formOrReason = ({ form, reason }: ReturnType<typeof socialForm>) =>
  form ? `${form.wire} ${form.transform}` : sentenceOf(reason)

test('each platform gets each type in its form, or a reason why not', () => {
  const table = keysOf(IDENTIFIERS).map((type: IdentifierType) => [
    type,
    formOrReason(socialForm(type)),
    formOrReason(videoForm(type)),
  ])
  expect(table).toEqual([
    ['IDFA', 'IDFA none', '5 md5'],
    ['HASH_IDFA', 'HASH_IDFA none', '5 none'],
    ['MD5_SHA256_IDFA', 'MD5_SHA256_IDFA none', '巨量引擎只接收 IDFA 的 MD5'],
    ['IMEI', 'IMEI none', '4 md5_lower'],
    ['HASH_IMEI', 'HASH_IMEI none', '4 none'],
    ['MD5_SHA256_IMEI', 'MD5_SHA256_IMEI none', '巨量引擎只接收 IMEI 的 MD5'],
    ['OAID', 'OAID none', '8 md5_lower'],
    ['HASH_OAID', 'HASH_OAID none', '8 none'],
    ['MD5_SHA256_OAID', 'MD5_SHA256_OAID none', '巨量引擎只接收 OAID 的 MD5'],
    ['MAC', '腾讯广告现行版本不再接收 MAC', '巨量引擎不接收 MAC'],
    ['HASH_MAC', '腾讯广告现行版本不再接收 MAC-MD5', '巨量引擎不接收 MAC-MD5'],
    ['HASH_MOBILE_PHONE', 'HASH_MOBILE_PHONE none', '巨量引擎只接收手机号的 SHA256'],
    ['SHA256_MOBILE_PHONE', 'SHA256_MOBILE_PHONE none', '6 none'],
    ['QQ', '腾讯广告现行版本不再接收 QQ', '巨量引擎不接收 QQ'],
    ['HASH_QQ', '腾讯广告现行版本不再接收 QQ-MD5', '巨量引擎不接收 QQ-MD5'],
  ])
})

test('an adapter takes exactly the types that the table offers for its platform and does not call withdrawn', () => {
  const platforms = openPlatforms({ endpointOf: async () => null, dataDir: '/nowhere' })
  for (const code of AUDIENCE_CODES) {
    const { identifiers, withdrawn } = audienceInfo(code)
    const taken = identifiers.filter((type) => !withdrawn.includes(type))
    expect(keysOf(IDENTIFIERS).filter((type) => platforms.audiencesOf(code).formOf(type).form !== null)).toEqual(
      keysOf(IDENTIFIERS).filter((type) => taken.includes(type)),
    )
    expect(identifiers).toEqual(expect.arrayContaining([...withdrawn]))
  }
})
