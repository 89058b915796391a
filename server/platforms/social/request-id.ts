import { createHash } from 'node:crypto'

/** Each body has an id of its own: with another body under the same id, the platform refuses the call. */
export const requestIdOf = (key: string, body: object): string =>
  `${key}-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 12)}`
