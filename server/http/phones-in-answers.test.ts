import { expect, test } from 'vitest'
import { z } from 'zod'
import { previewImport } from '#contract/import.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { listTags } from '#contract/tag.ts'
import { answerFor, WRITTEN, withoutPhones } from './phones-in-answers.ts'

const PHONE = '13800138000'
const blind = { see_phones: false }

/** Properties with texts that nobody wrote, or that the service masks itself: values of people's data. */
const NOT_WRITTEN = new Set([
  // Ids, keys, codes and addresses of things: masking one would make it another.
  ...[
    'id',
    'code',
    'key',
    'kind',
    'uri',
    'url',
    'link',
    'external_id',
    'tag_id',
    'local_id',
    'targeting_id',
    'plan_id',
    'landing_type',
    'scope_list',
    'icon',
  ],
  ...['token', 'tail', 'session', 'origin', 'address', 'agent', 'method', 'version', 'timezone', 'sandbox_page'],
  ...['accessKeyId', 'accessKeySecret', 'securityToken', 'bucket', 'region', 'prefix', 'endpoint', 'format'],
  ...[
    'label_id',
    'aweme_id',
    'marketing_asset_id',
    'retargeting_tags_id',
    'audience_id',
    'product_id',
    'source',
    'status',
    'avatar',
    'regions',
    'lost_crowds',
    'field',
  ],
  // The platforms' own numbers of people.
  ...['num', 'approximate_count_label', 'cover_num_str', 'total_fans_num_str'],
  ...['date', 'time', 'closed', 'day', 'days', 'first_day', 'last_day', 'pin', 'complete_to'],
  // Colleagues, by the names with which they sign in.
  ...['username', 'realname', 'creator', 'op_by', 'asked_by', 'saved_by'],
  // The console's own words about columns and statuses.
  ...['tooltip', 'plan_status_name', 'start_date', 'end_date', 'hours'],
  // Values of people's data, masked where they are read: a form must know which are masked.
  ...['value', 'values', 'shown', 'refused_values', 'phone', 'from', 'to', 'cells', 'rows'],
])
/** Columns of an imported file; they stand only below `mapping`. */
const COLUMNS = new Set(['column', 'skip'])

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** The properties with texts of an answer; what stands in `params` is all written. */
function textsOf(data: z.ZodType): Set<string> {
  const root = z.toJSONSchema(data, { unrepresentable: 'any', io: 'output' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  const found = new Set<string>()
  const seen = new Set<string>()
  const walk = (schema: Schema, key: string): void => {
    if (schema.$ref) {
      const at = `${schema.$ref} ${key}`
      if (seen.has(at)) return
      seen.add(at)
      const name = schema.$ref.split('/').at(-1) ?? ''
      walk(name === '#' ? root : (root.$defs?.[name] ?? {}), key)
      return
    }
    const isText = [schema.type].flat().includes('string') && !schema.enum && schema.const === undefined
    if (isText && key !== '') found.add(key)
    for (const [name, one] of Object.entries(schema.properties ?? {})) if (name !== 'params') walk(one, name)
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]) {
      walk(one, key)
    }
  }
  walk(root, '')
  return found
}

test('every property of answers that holds a text is decided on: written by people, or not', () => {
  const texts = new Set(Object.values(ENDPOINTS).flatMap(({ data }) => [...textsOf(data)]))
  const isDecided = (key: string) => WRITTEN.has(key) || NOT_WRITTEN.has(key) || COLUMNS.has(key)
  expect([...texts].filter((key) => !isDecided(key))).toEqual([])
  expect([...NOT_WRITTEN].filter((key) => WRITTEN.has(key))).toEqual([])
})

test('phones in what people wrote are masked, and ids, numbers and hashes stay', () => {
  const answer = {
    list: [{ id: 13_800_138_000, external_id: PHONE, name: `客户${PHONE}`, key: `a${PHONE}`, account_remark: PHONE }],
    error_outcome: { code: 'history_crowd_expired', params: { name: PHONE, nested: { columns: [PHONE] } } },
    mapping: { id: PHONE, skip: [PHONE] },
    nothing: null,
  }
  expect(withoutPhones(blind, answer)).toEqual({
    list: [
      {
        id: 13_800_138_000,
        external_id: PHONE,
        name: '客户138****8000',
        key: `a${PHONE}`,
        account_remark: '138****8000',
      },
    ],
    error_outcome: {
      code: 'history_crowd_expired',
      params: { name: '138****8000', nested: { columns: ['138****8000'] } },
    },
    mapping: { id: '138****8000', skip: ['138****8000'] },
    nothing: null,
  })
  expect(withoutPhones({ see_phones: true }, answer)).toBe(answer)
  expect(withoutPhones(null, answer)).toBe(answer)
})

test('the columns of the caller’s own file keep their names, which the import is started with', () => {
  const preview = { columns: [PHONE], guess: { name: PHONE } }
  expect(answerFor(blind, previewImport, preview)).toEqual(preview)
  expect(answerFor(blind, listTags, preview)).not.toEqual(preview)
})
