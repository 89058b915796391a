import { expect, test } from 'vitest'
import type { TagNode } from '#contract/targeting-tags.ts'
import { regionNamesIn, regionNamesOf } from './region-names.ts'

const node = (value: string, label: string, children: TagNode[] = []): TagNode => ({
  value,
  label,
  num: null,
  children,
})

test('districts that share a name have their city before it, and others their name alone', () => {
  const tree = [
    node('110000', '北京市', [node('110105', '朝阳区')]),
    node('220000', '吉林省', [node('220100', '长春市', [node('220104', '朝阳区')])]),
    node('440000', '广东省', [node('440300', '深圳市', [node('440305', '南山区')])]),
  ]
  expect(Object.fromEntries(regionNamesIn(tree))).toEqual({
    110000: '北京市',
    110105: '北京市朝阳区',
    220000: '吉林省',
    220100: '长春市',
    220104: '长春市朝阳区',
    440000: '广东省',
    440300: '深圳市',
    440305: '南山区',
  })
})

test('a municipality that is a province and a city is named once', () => {
  expect([...regionNamesIn([node('1', '上海市', [node('2', '上海市')])]).values()]).toEqual(['上海市', '上海市'])
})

test('codes alone tell the city of a district, or the municipality around it', () => {
  const names = {
    100000: '中国',
    110000: '北京市',
    110105: '朝阳区',
    220000: '吉林省',
    220100: '长春市',
    220104: '朝阳区',
  }
  const found = regionNamesOf(names)
  expect([found.get('110105'), found.get('220104'), found.get('220100')]).toEqual([
    '北京市朝阳区',
    '长春市朝阳区',
    '长春市',
  ])
})
