import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { globalRegistry, z } from 'zod'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { AnyOutcome } from '#contract/outcomes/entry.ts'
import { isWarehouseAway } from '../clickhouse/engine-error.ts'
import { AppError } from '../errors.ts'
import { isDatabaseAway } from '../postgres/away.ts'
import { isDiskFull } from '../storage/disk-full.ts'
import { ObjectStoreAway } from '../storage/object-store-away.ts'
import { withoutPhones } from './phones-in-answers.ts'
import { leftOutWords, refusalWords } from './refusal-words.ts'
import type { Viewer } from './viewer.ts'

/**
 * The answer of every call: `{code: 0, msg: 'OK', data}`. A failure has a non-zero code, a msg fit to show, and the
 * outcome whose sentence the msg is.
 */
export const envelopeOf = (data: z.ZodType) =>
  z
    .object({
      code: z.literal(0).describe('0：成功'),
      msg: z.literal('OK').describe('成功时总为 OK'),
      data: data.describe(globalRegistry.get(data)?.description ?? '回答的内容'),
    })
    .describe('成功')
export const Failure = z
  .object({
    code: z.int().describe('错误码，不为 0，见文首的错误码表'),
    msg: z.string().describe('中文说明，可直接展示'),
    data: z.unknown().describe('错误的详情，由错误码决定；没有时为 null'),
    outcome: AnyOutcome,
  })
  .meta({ id: 'Failure', description: '失败' })

export const ok = (data: unknown) => ({ code: 0, msg: 'OK', data })
/** Its sentence is made again, since the outcome may name what the viewer sees masked. */
export function failure(error: AppError, viewer: Pick<Viewer, 'see_phones'> | null = null) {
  const { data, outcome: reason } = withoutPhones(viewer, { data: error.data, outcome: error.outcome })
  return { code: error.code, msg: sentenceOf(reason), data, outcome: reason }
}

const BY_FASTIFY_CODE: Record<string, () => AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => new AppError('unreadable'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('unreadable'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unreadable'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('unreadable'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('tooLarge'),
}

/** Postgres text cannot hold U+0000. */
const UNSTORABLE = new Set(['22021', '22P05'])

/** Unique names: two calls may take one at once, and the database keeps one. */
const BY_CONSTRAINT: Record<string, () => AppError> = {
  tag_category_adv_id_tag_type_name_key: () => new AppError('nameTaken'),
  tag_category_id_name_key: () => new AppError('tagNameTaken'),
  advertiser_name: () => new AppError('advertiserNameTaken'),
  asset_folder_name: () => new AppError('nameTaken'),
  people_name: () => new AppError('nameTaken'),
}
const UNIQUE_VIOLATION = '23505'

interface Issue {
  instancePath: string
  message?: string
  params?: { received?: unknown }
}

function badInput(issues: readonly Issue[], given: unknown): AppError {
  const faults = issues.map((issue) => {
    const path = issue.instancePath.split('/').filter(Boolean)
    // Numbers in a query are parsed from text first, so a missing one shows up as NaN.
    const isLeftOut = issue.params?.received === 'NaN' && valueAt(given, path) === undefined
    return { path: path.join('.'), message: isLeftOut ? leftOutWords(path) : (issue.message ?? '格式不正确') }
  })
  const first = faults[0] ?? { message: '格式不正确' }
  return new AppError('badInput', { reason: outcome('input_refused', { text: first.message }) }, { issues: faults })
}

const valueAt = (given: unknown, path: readonly string[]): unknown =>
  path.reduce((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], given)

function appErrorOf(error: FastifyError | AppError | Error, request: FastifyRequest): AppError | null {
  if (error instanceof AppError) return error
  if (isDatabaseAway(error)) return new AppError('databaseAway')
  if (isWarehouseAway(error)) return new AppError('warehouseAway')
  if (error instanceof ObjectStoreAway) return new AppError('objectStoreAway')
  if (hasZodFastifySchemaValidationErrors(error)) {
    const { query, params, body, headers } = request
    const given = { querystring: query, params, body, headers }[error.validationContext ?? 'body']
    return badInput(error.validation as Issue[], given)
  }
  const code = 'code' in error ? String(error.code) : ''
  const known = BY_FASTIFY_CODE[code]
  if (known) return known()
  if (code === UNIQUE_VIOLATION && 'constraint' in error) return BY_CONSTRAINT[String(error.constraint)]?.() ?? null
  if (UNSTORABLE.has(code)) return new AppError('badInput', { reason: outcome('input_not_storable') })
  if ('statusCode' in error && error.statusCode === 429) return new AppError('tooMany')
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400)
    return new AppError('unreadable')
  return null
}

/**
 * Puts every error into the envelope. Anything but an AppError or a schema's refusal is logged and answered with 请求失败,
 * or that the disk is full.
 */
export function mountErrors(app: FastifyInstance): void {
  z.config({ localeError: refusalWords })
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const known = appErrorOf(error, request)
    // The caller has disconnected, so nobody reads this answer.
    const isLeft = error.name === 'AbortError' && reply.raw.destroyed
    if (!known && !isLeft) request.log.error({ err: error, url: request.routeOptions.url }, 'a call failed')
    const answered = known ?? new AppError(isDiskFull(error) ? 'diskFull' : 'failed')
    reply.code(answered.status).type('application/json; charset=utf-8').send(failure(answered, request.viewer))
  })
}
