import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import { type TagQuestion, tagQuestion } from './tag-filter.ts'
import type { FilterField, TagType } from './tag-types.ts'

const filters = (given: Partial<Record<FilterField, string[]>>) =>
  Object.entries(given).map(([field, values]) => ({ field: field as FilterField, values }))
const WINDOW = { scenes: [], days: 30 }

test.each<[string, TagType, Partial<Record<FilterField, string[]>>, TagQuestion]>([
  ['regions', 'REGION', {}, { type: 'REGION' }],
  ['behaviour of the last 30 days in all scenes', 'BEHAVIOR', {}, { type: 'BEHAVIOR', window: WINDOW }],
  [
    'behaviour of other days and scenes, in any order',
    'BEHAVIOR',
    { action_days: ['7'], action_scene: ['NEWS', 'APP', 'NEWS'] },
    { type: 'BEHAVIOR', window: { scenes: ['APP', 'NEWS'], days: 7 } },
  ],
  [
    'keywords with a word',
    'INTEREST_KEYWORDS',
    { query_word: [' 手机 '] },
    { type: 'INTEREST_KEYWORDS', window: WINDOW, asked: { by: 'query_word', word: '手机' } },
  ],
  [
    'names of keywords',
    'BEHAVIOR_KEYWORDS',
    { ids: ['9007199254740993', '2'], action_days: ['90'] },
    {
      type: 'BEHAVIOR_KEYWORDS',
      window: { scenes: [], days: 90 },
      asked: { by: 'ids', ids: ['9007199254740993', '2'] },
    },
  ],
  ['what people mean to buy', 'INTENTION', {}, { type: 'INTENTION' }],
  [
    'texts of keywords to verify',
    'BEHAVIOR_KEYWORDS',
    { words: ['手机', ' 女装'] },
    { type: 'BEHAVIOR_KEYWORDS', window: WINDOW, asked: { by: 'words', words: ['手机', '女装'] } },
  ],
  [
    'keywords near a word',
    'INTEREST_KEYWORDS',
    { near_word: ['手机'] },
    { type: 'INTEREST_KEYWORDS', window: WINDOW, asked: { by: 'near_word', word: '手机' } },
  ],
  [
    'keywords near another one',
    'BEHAVIOR_KEYWORDS',
    { near_keyword: ['5'] },
    { type: 'BEHAVIOR_KEYWORDS', window: WINDOW, asked: { by: 'near_keyword', id: '5' } },
  ],
  [
    'creators of a category',
    'AWEME_AUTHOR',
    { category_id: ['5'], behaviors: ['LIKED_USER', 'COMMENTED_USER'] },
    { type: 'AWEME_AUTHOR', behaviors: ['COMMENTED_USER', 'LIKED_USER'], asked: { by: 'category_id', id: '5' } },
  ],
  [
    'creators like another one',
    'AWEME_AUTHOR',
    { aweme_id: ['dy_5'] },
    { type: 'AWEME_AUTHOR', behaviors: [], asked: { by: 'aweme_id', id: 'dy_5' } },
  ],
])('%s', (_, type, given, question) => {
  expect(tagQuestion(type, filters(given))).toEqual({ question, refusal: null })
})

test.each<[string, TagType, 'ids' | 'words', string[], object]>([
  ['numbers of keywords', 'BEHAVIOR_KEYWORDS', 'ids', ['5', '6'], { by: 'ids', ids: ['5', '6'] }],
  ['texts of keywords', 'INTEREST_KEYWORDS', 'words', ['手机', '360'], { by: 'words', words: ['手机', '360'] }],
  ['numbers of creators, whatever keywords are known by', 'AWEME_AUTHOR', 'words', ['5'], { by: 'ids', ids: ['5'] }],
])('query_list is %s', (_, type, key, values, asked) => {
  expect(tagQuestion(type, filters({ query_list: values }), key).question).toMatchObject({ type, asked })
})

test.each<[string, TagType, Partial<Record<FilterField, string[]>>, string]>([
  ['a list for a tree', 'REGION', { query_list: ['1'] }, '查询地域时不能按「query_list」筛选'],
  ['a text for a number', 'INTEREST_KEYWORDS', { query_list: ['手机'] }, '筛选条件「query_list」的值不正确'],
  ['both spellings of a list', 'AWEME_AUTHOR', { ids: ['5'], query_list: ['6'] }, '筛选条件「query_list」的值不正确'],
  ['a filter of another type', 'REGION', { query_word: ['上海'] }, '查询地域时不能按「query_word」筛选'],
  ['a scene of interests', 'INTEREST', { action_scene: ['APP'] }, '查询兴趣类目时不能按「action_scene」筛选'],
  ['days that no platform has', 'BEHAVIOR', { action_days: ['31'] }, '筛选条件「action_days」的值不正确'],
  ['a scene that no platform has', 'BEHAVIOR', { action_scene: ['TV'] }, '筛选条件「action_scene」的值不正确'],
  ['two words', 'AWEME_AUTHOR', { query_word: ['手机', '数码'] }, '筛选条件「query_word」的值不正确'],
  ['an id that is no number', 'AWEME_AUTHOR', { category_id: ['5; drop'] }, '筛选条件「category_id」的值不正确'],
  ['an empty word', 'AWEME_AUTHOR', { query_word: ['  '] }, '筛选条件「query_word」的值不正确'],
  [
    'nothing that is asked',
    'AWEME_AUTHOR',
    { behaviors: [] },
    '「query_word」、「ids」、「category_id」、「aweme_id」要写',
  ],
  ['two questions at once', 'BEHAVIOR_KEYWORDS', { query_word: ['手机'], ids: ['1'] }, '要写且只能写一个'],
])('%s is refused', (_, type, given, sentence) => {
  const { refusal } = tagQuestion(type, filters(given))
  expect(refusal && sentenceOf(refusal)).toContain(sentence)
})

test('a filter given twice is refused', () => {
  const twice = [...filters({ action_days: ['7'] }), ...filters({ action_days: ['7'] })]
  expect(tagQuestion('BEHAVIOR', twice).refusal?.code).toBe('targeting_filter_wrong')
})
