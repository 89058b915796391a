import type { FastifyInstance } from 'fastify'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'

/** The deepest nesting of a body. A rule of 64 leaves, the deepest thing a call takes, has about 130 levels. */
const DEPTH_MAX = 200

/**
 * Refuses, by the field's name, text that no store can hold (half of a surrogate pair, U+0000) and bodies that are nested
 * too deeply, before a schema or a handler reads them.
 */
export function refuseUnstorableInput(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    for (const input of [params, query, body]) checkInput(input)
  })
}

interface Part {
  value: unknown
  /** The keys that lead here. */
  path: readonly string[]
}

/** Without recursion, so that deep input cannot exhaust the stack. */
function checkInput(input: unknown): void {
  const parts: Part[] = [{ value: input, path: [] }]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { value, path } = part
    if (typeof value === 'string' && !isStorable(value)) throw refusedText(path)
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= DEPTH_MAX)
      throw new AppError('badInput', { reason: outcome('input_too_deep', { max: DEPTH_MAX }) })
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) throw refusedText(path)
      if (typeof inner === 'string' && !isStorable(inner)) throw refusedText([...path, key])
      if (typeof inner === 'object' && inner !== null) parts.push({ value: inner, path: [...path, key] })
    }
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const refusedText = (path: readonly string[]) =>
  new AppError('badInput', { reason: outcome('input_not_text', { field: path.join('.') }) })
