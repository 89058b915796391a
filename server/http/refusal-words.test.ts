import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { refusalWords } from './refusal-words.ts'

const WRONG = [undefined, null, -1, 1.5, 1e12, '', 'x', 'x'.repeat(5000), true, [], [{}], ['x'], {}, { kind: 'x' }]

type Part = 'params' | 'query' | 'body'
const PARTS: Part[] = ['params', 'query', 'body']

const messagesOf = (schema: z.ZodType, input: unknown) => {
  const read = schema.safeParse(input, { error: refusalWords })
  return read.success ? [] : read.error.issues.map(({ path, message }) => ({ path, message }))
}

/** Gives each field of a part, nested objects included, a value that it does not accept. */
function refusals(schema: z.ZodType): { path: PropertyKey[]; message: string }[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return [
    ...WRONG.flatMap((wrong) => messagesOf(schema, wrong)),
    ...fields.flatMap((field) => WRONG.flatMap((wrong) => messagesOf(schema, { [field]: wrong }))),
  ]
}

const parts = Object.entries(ENDPOINTS).flatMap(([name, endpoint]: [string, Endpoint]) =>
  PARTS.flatMap((part) => (endpoint[part] ? [[name, part, endpoint[part]] as const] : [])),
)

test.each(parts)('%s refuses a wrong %s in Chinese, naming the field', (_, __, schema) => {
  for (const { path, message } of refusals(schema)) {
    expect(message).toMatch(/\p{Script=Han}/u)
    // Quoted texts are field names and choices; ID and the like are also used in Chinese.
    const words = message.replace(/「[^」]*」|（true 或 false）|YYYY-MM-DD|HH:MM:SS|\bID\b/g, '')
    expect(words, message).not.toMatch(/[A-Za-z]{2}/)
    if (message.startsWith('参数')) expect(message).toContain(`「${path.map(String).join('.')}」`)
    else expect(message, `of ${path.join('.')}`).not.toMatch(/^(无效|不正确|格式)/)
  }
})

test.each([
  [z.object({ n: z.int() }), { n: '1' }, '参数「n」应为数字'],
  [z.object({ n: z.int() }), { n: 1.5 }, '参数「n」应为整数'],
  [z.object({ n: z.int() }), {}, '参数「n」不能缺少'],
  [z.object({ n: z.int().positive() }), { n: 0 }, '参数「n」应大于 0'],
  [z.object({ n: z.int().max(5) }), { n: 6 }, '参数「n」不能大于 5'],
  [z.object({ list: z.array(z.string()).max(1) }), { list: ['a', 'b'] }, '参数「list」最多 1 项'],
  [z.object({ list: z.array(z.boolean()) }), { list: [1] }, '参数「list.0」应为布尔值（true 或 false）'],
  [z.object({ name: z.string().min(1) }), { name: '' }, '参数「name」不能为空'],
  [z.object({ name: z.string().length(4) }), { name: '' }, '参数「name」应为 4 个字符'],
  [z.object({ kind: z.enum(['a', 'b']) }), { kind: 'c' }, '参数「kind」只能是「a」、「b」'],
  [z.object({ type: z.union([z.literal(1), z.literal(2)]) }), { type: 3 }, '参数「type」只能是「1」、「2」'],
  [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'c' }, '参数「kind」只能是「a」'],
  [z.object({ name: z.string('请输入名称') }), {}, '请输入名称'],
  [z.object({}), [], '请求内容应为对象'],
])('%o given %j says %s', (schema, input, sentence) => {
  expect(messagesOf(schema as z.ZodType, input)[0]?.message).toBe(sentence)
})
