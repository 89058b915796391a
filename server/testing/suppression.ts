import type { z } from 'zod'
import type { DataOf } from '#contract/endpoint.ts'
import { addSuppression, type SuppressionQuestion } from '#contract/suppression.ts'
import type { Caller } from './caller.ts'

export type Suppressed = z.input<typeof addSuppression.body>

/** Adds to the suppression list, and confirms when it is asked. */
export async function suppressFor(
  { admin }: { admin: Caller },
  body: Suppressed,
): Promise<DataOf<typeof addSuppression>> {
  const answer = await admin.call(addSuppression, { body })
  if (answer.code === 0) return answer.data
  const { confirm } = answer.data as unknown as z.output<typeof SuppressionQuestion>
  return admin.get(addSuppression, { body: { ...body, confirm } })
}
