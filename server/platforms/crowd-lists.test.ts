import { describe, expect, test } from 'vitest'
import { sentenceOf } from '#contract/outcome.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { ANY_ACCOUNT, answeringPlatform } from '../testing/answering-platform.ts'
import { faultOf } from '../testing/platform-world.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import type { StepHooks } from './audience-platform.ts'

interface Page {
  rows: object[]
  total: number
}
interface Vendor {
  code: PlatformCode
  /** The page that a query asks for, from 1. */
  pageOf(query: URLSearchParams): number
  /** Whether it asks for the list under test: two platforms have another one beside it. */
  isMeant(query: URLSearchParams): boolean
  row(no: number): Record<string, unknown>
  id: string
  answer(page: Page): object
}

const byOffset = (query: URLSearchParams) => Number(query.get('offset')) / 100 + 1
const VENDORS: Record<string, Vendor> = {
  social: {
    code: SOCIAL,
    pageOf: (query) => Number(query.get('page')),
    isMeant: () => true,
    row: (no) => ({ audience_id: no, name: `人群${no}`, status: 'SUCCESS', online_status: 'ONLINE', user_count: 5000 }),
    id: 'audience_id',
    answer: ({ rows, total }) => ({
      list: rows,
      page_info: { total_number: total, total_page: Math.ceil(total / 100) },
    }),
  },
  video: {
    code: VIDEO,
    pageOf: byOffset,
    isMeant: (query) => query.get('select_type') === '0',
    row: (no) => ({ custom_audience_id: no, name: `人群${no}`, status: 2, cover_num: 5000 }),
    id: 'custom_audience_id',
    answer: ({ rows, total }) => ({ custom_audience_list: rows, offset: 0, total_num: total }),
  },
  commerce: {
    code: COMMERCE,
    pageOf: byOffset,
    isMeant: (query) => query.get('retargeting_tags_type') === '1',
    row: (no) => ({
      retargeting_tags_id: no,
      name: `人群${no}`,
      source: '自定义',
      status: 2,
      cover_num: 5000,
      is_common: 1,
    }),
    id: 'retargeting_tags_id',
    answer: ({ rows, total }) => ({ offset: 0, retargeting_tags: rows, total_num: total }),
  },
}

const vendor = answeringPlatform()
/** Answers each call with what its query asks for. */
function answers(listed: (query: URLSearchParams) => object) {
  vendor.answer = (request, response) => {
    const data = listed(new URL(request.url ?? '', 'http://local').searchParams)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 0, message: 'OK', data }))
  }
}
const on: StepHooks = { signal: new AbortController().signal, sample: () => undefined }

describe.each(Object.entries(VENDORS))('crowds of %s', (_name, { code, pageOf, isMeant, row, id, answer }) => {
  const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => row(from + at))
  /** Serves one page after the other in the order of the calls, the last one again and again. */
  const serve = (page: (no: number, call: number) => Page) => {
    let call = 0
    answers((query) => answer(isMeant(query) ? page(pageOf(query), call++) : { rows: [], total: 0 }))
  }
  const crowds = () =>
    vendor.platforms.dictionariesOf(code)?.crowds(ANY_ACCOUNT, on) ?? Promise.reject(new Error('none'))
  const ids = async () => (await crowds()).map((crowd) => Number(crowd.retargeting_tags_id)).toSorted((a, b) => a - b)
  const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)

  test('one odd value hides neither its crowd nor those after it', async () => {
    const odd = { ...row(7), name: { odd: true }, status: ['odd'], cover_num: 'many', user_count: 'many' }
    serve((no) => ({ rows: no === 1 ? [...rows(1, 6), odd, ...rows(8, 100)] : rows(101, 130), total: 130 }))
    expect(await ids()).toEqual(numbers(130))
  })

  test('a row without an id is left out, and the others are all there', async () => {
    const nameless = { ...row(100), [id]: null }
    serve((no) => ({ rows: no === 1 ? [...rows(1, 99), nameless] : rows(101, 130), total: 130 }))
    expect(await ids()).toEqual(numbers(130).filter((no) => no !== 100))
  })

  test('a list that shifts between two pages is read anew', async () => {
    serve((no, call) => {
      if (call === 1) return { rows: rows(102, 130), total: 129 }
      const total = call === 0 ? 130 : 129
      return { rows: no === 1 ? rows(call === 0 ? 1 : 2, call === 0 ? 100 : 101) : rows(102, 130), total }
    })
    expect(await ids()).toEqual(numbers(130).slice(1))
  })

  test('one that never is whole is a fault, since what is missing would count as deleted', async () => {
    serve((no) => ({ rows: no === 1 ? rows(1, 100) : [], total: 130 }))
    const { kind, outcome } = await faultOf(crowds())
    expect([kind, sentenceOf(outcome)]).toEqual(['later', expect.stringContaining('缺少内容')])
  })
})
