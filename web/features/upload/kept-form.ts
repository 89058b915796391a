import { z } from 'zod'
import { IdentifierType } from '#contract/identifier.ts'
import { saved } from '../../lib/saved-context.ts'
import { UploadItem } from './items.ts'

/** A form's values, with the state of its files. */
const Kept = z.object({
  kind: z.literal('upload'),
  /** 0 for a new crowd. */
  crowdId: z.number(),
  advId: z.number(),
  /** The advertiser of the top bar when the other one was chosen. */
  instead: z.number().optional(),
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

/** The form's values from before a reload. */
export function findForm(crowdId: number): KeptForm | null {
  const kept = Kept.safeParse(saved.cowdMessage.get()).data
  return kept?.crowdId === crowdId ? kept : null
}
export const keepForm = (form: KeptForm) => saved.cowdMessage.set({ ...form })
export const forgetForm = () => saved.cowdMessage.clear()
