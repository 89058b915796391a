import { expect, test } from 'vitest'
import { canonicalTargeting } from './canonical.ts'

const tag = { id: '40000', type: 1 }
const row = { retargeting_tags_id: '7', name: '老客' }

test.each<[string, object, object]>([
  ['the order of fields', { ac: ['WIFI'], gender: ['GENDER_MALE'] }, { gender: ['GENDER_MALE'], ac: ['WIFI'] }],
  ['the order of choosing', { age: ['A', 'B'], auto_crowd_mode: [2, 1] }, { age: ['B', 'A'], auto_crowd_mode: [1, 2] }],
  [
    'the order of ranges',
    {
      age: [
        { min: 18, max: 30 },
        { max: 66, min: 40 },
      ],
    },
    {
      age: [
        { min: 40, max: 66 },
        { min: 18, max: 30 },
      ],
    },
  ],
  ['the names of choices', { interest_tags: [{ ...tag, name: '母婴' }] }, { interest_tags: [tag] }],
  [
    'the rows of crowds',
    { retargeting_tags_include: ['7'], retargeting_tags_include_local: [row] },
    { retargeting_tags_include: ['7'] },
  ],
  [
    'the names of plans',
    { regions: { regions: [], regionsPlan: [{ id: 1, name: '华东', regions: ['1', '2'] }] } },
    { regions: { regionsPlan: [{ id: 1, name: '东', regions: ['2', '1'] }], regions: [] } },
  ],
  ['what is left out', { gender: undefined }, {}],
])('%s makes no difference', (_, one, other) => expect(canonicalTargeting(one)).toBe(canonicalTargeting(other)))

test.each<[string, object, object]>([
  ['another choice', { age: ['A'] }, { age: ['B'] }],
  ['one more choice', { age: ['A'] }, { age: ['A', 'B'] }],
  ['a choice of another field', { retargeting_tags_include: ['7'] }, { retargeting_tags_exclude: ['7'] }],
  ['a keyword for a category', { interest_tags: [tag] }, { interest_tags: [{ ...tag, type: 2 }] }],
  ['other prices', { launch_price: [2000, 4000] }, { launch_price: [2000, 6000] }],
  ['no limit for a limit', { gender: null }, { gender: [] }],
])('%s makes a difference', (_, one, other) => expect(canonicalTargeting(one)).not.toBe(canonicalTargeting(other)))
