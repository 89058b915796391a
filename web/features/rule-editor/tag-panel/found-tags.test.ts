import { polyphonic } from 'pinyin-pro'
import { expect, test } from 'vitest'
import { findText, readingsFrom } from '#contract/find-text.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { foundIn, together } from './found-tags.ts'
import { type TagGroup, tagsIn } from './tag-rows.ts'

const tag = (id: number, name: string): ShownTag => ({
  id,
  tag_type: 1,
  name,
  count: 1,
  countedAt: 1,
  icon: 'other',
  path: name,
})
const group = (name: string, ...children: (TagGroup | ShownTag)[]): TagGroup => ({
  key: name,
  name,
  icon: 'other',
  children,
})
const tree = [group('性别', tag(1, '男'), tag(2, '女')), group('会员', group('等级', tag(3, '金卡'), tag(4, '普通')))]
const readings = readingsFrom(polyphonic)
const found = (keyword: string) =>
  tagsIn(foundIn(tree, (name) => findText(name, keyword, readings))).map((one) => one.name)

test('a search finds tags by name, and all tags of a category that it names', () => {
  expect(found('女')).toEqual(['女'])
  expect(found('金')).toEqual(['金卡'])
  expect(found('性别')).toEqual(['男', '女'])
  expect(found('会员')).toEqual(['金卡', '普通'])
  expect(found('无')).toEqual([])
})

test.each([
  ['pinyin', 'jinka', ['金卡']],
  ['initials', 'jk', ['金卡']],
  ['a mixture', 'jka', ['金卡']],
  ['initials of a category', 'hy', ['金卡', '普通']],
  ['女 typed either way', 'nv', ['女']],
  ['女 typed the other way', 'nu', ['女']],
  ['letters that nothing is read as', 'zz', []],
])('a search finds tags by %s', (_, keyword, names) => expect(found(keyword)).toEqual(names))

test('what two searches found is listed once', () => {
  expect(together([tag(1, '男'), tag(2, '女')], [tag(2, '女'), tag(3, '金卡')]).map((one) => one.id)).toEqual([1, 2, 3])
})
