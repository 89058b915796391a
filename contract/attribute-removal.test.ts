import { expect, test } from 'vitest'
import { type AttributeUses, removalObstacle } from './attribute-removal.ts'
import { sentenceOf } from './outcome.ts'

const FREE: AttributeUses = { files: [], crowds: [], tags: [], drafts: 0, consent: false }
const many = (what: string) => Array.from({ length: 6 }, (_, no) => `${what}${no}`)

test.each<[string, Partial<AttributeUses>, string | null]>([
  ['nothing', {}, null],
  ['a file', { files: ['a.csv'] }, '属性「城市」由导入的文件「a.csv」带来，请在「导入记录」里撤销这些导入'],
  ['a crowd', { crowds: ['北京'] }, '属性「城市」正在被使用，不可删除：人群「北京」'],
  [
    'more than five crowds',
    { crowds: many('群') },
    '属性「城市」正在被使用，不可删除：人群「群0」、「群1」、「群2」、「群3」、「群4」等 6 个',
  ],
  [
    'everything else',
    { crowds: ['北京'], tags: ['一线'], drafts: 2, consent: true },
    '属性「城市」正在被使用，不可删除：人群「北京」；自建的标签「一线」；2 个未保存的规则；「同意」的设置',
  ],
])('an attribute that is used by %s', (_, uses, sentence) => {
  const reason = removalObstacle('城市', { ...FREE, ...uses })
  expect(reason && sentenceOf(reason)).toBe(sentence)
})

test('a refusal has a hundred names at most, and says how many there are', () => {
  const reason = removalObstacle('a', { ...FREE, crowds: Array.from({ length: 150 }, (_, no) => `${no}`) })
  expect(reason?.params).toMatchObject({ crowds: { length: 100 }, crowds_total: 150 })
})
