import { z } from 'zod'
import { IdentifierType } from '#contract/identifier.ts'
import { saved } from '../../lib/saved-context.ts'
import { UploadItem } from './items.ts'

/** What a form was given, with its files as far as they came. */
const Kept = z.object({
  kind: z.literal('upload'),
  /** 0: a new crowd. */
  crowdId: z.number(),
  advId: z.number(),
  form: z.object({
    type: IdentifierType.nullable(),
    hashes: z.boolean(),
    name: z.string(),
    dirId: z.number().nullable(),
    operation: z.union([z.literal(1), z.literal(2)]).nullable(),
  }),
  items: z.array(UploadItem),
})
export type KeptForm = z.infer<typeof Kept>
export type UploadForm = KeptForm['form']

/** The form as it stood before the page was loaded again. */
export function findForm(crowdId: number): KeptForm | null {
  const kept = Kept.safeParse(saved.cowdMessage.get()).data
  return kept?.crowdId === crowdId ? kept : null
}
export const keepForm = (form: KeptForm) => saved.cowdMessage.set({ ...form })
export const forgetForm = () => saved.cowdMessage.clear()
