import type { Kysely, Selectable } from 'kysely'
import type { CrowdKind } from '../../crowds/kinds.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CallSample, CustomTables, PushState } from '../../postgres/schema-custom.ts'
import type { Child } from '../audience/child.ts'

export type Push = Selectable<CustomTables['push']>
export type Part = Selectable<CustomTables['push_part']>

/** How many of the newest samples are kept for each part. */
const SAMPLES_MAX = 6
const SAMPLE_TEXT_MAX = 2000

export const sourceOf = (child: Pick<Child, 'custom_id' | 'people_id'>): { kind: CrowdKind; id: number } =>
  child.custom_id === null ? { kind: 'rule', id: child.people_id ?? 0 } : { kind: 'custom', id: child.custom_id }

/** The console's page of a child's crowd. */
export const linkOf = (child: Pick<Child, 'custom_id' | 'people_id'>) =>
  child.custom_id === null
    ? `/cowd-manage/cowd-assets?crowd=${child.people_id}`
    : `/cowd-manage/custom-crowd?crowd=${child.custom_id}`

const SECRET = /("?(?:access_token|refresh_token|secret|auth_code|Access-Token)"?\s*[=:]\s*"?)[^"&\s,}]+/gi
const cut = (text: string) => {
  const safe = text.replace(SECRET, '$1***')
  return safe.length > SAMPLE_TEXT_MAX ? `${safe.slice(0, SAMPLE_TEXT_MAX)}…` : safe
}

export function withSamples(kept: readonly CallSample[], made: readonly CallSample[]): CallSample[] {
  const short = made.map((sample) => ({
    ...sample,
    path: cut(sample.path),
    request: cut(sample.request),
    answer: cut(sample.answer),
    took_ms: Math.round(sample.took_ms),
    at: Math.floor(sample.at),
  }))
  return [...kept, ...short].slice(-SAMPLES_MAX)
}

export const json = (value: object) => JSON.stringify(value)

export async function setPush(
  tx: Kysely<Database>,
  id: number,
  values: Partial<Omit<Push, 'id' | 'state'>> & { state?: PushState },
): Promise<void> {
  const { state, ...rest } = values
  await tx
    .updateTable('push')
    .set({ ...rest, ...(state ? { state: json(state) } : {}) })
    .where('id', '=', id)
    .execute()
}
