import { z } from 'zod'
import { Rule, SubTag } from '#contract/rule.ts'
import { saved } from '../../../lib/saved-context.ts'
import type { CrowdDocument } from '../state/editor-state.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** Unsaved work of the editor, kept in session storage over a reload until it is saved or discarded. */
export interface KeptWork {
  advId: number
  crowdId: number
  rId: number | null
  /** The version that the work is based on; saving detects a newer one on the server. */
  ver: number | null
  doc: CrowdDocument
  shownTags: ShownTag[]
  /** Made for the editor by another page: nothing of it was lost before. */
  isPrepared?: boolean | undefined
}

const Kept = z.object({
  advId: z.number(),
  crowdId: z.number(),
  rId: z.number().nullable(),
  ver: z.number().nullable(),
  doc: z.object({
    rule: Rule,
    form: z.object({ name: z.string(), day: z.string().nullable(), dirId: z.number().nullable() }),
  }),
  isPrepared: z.boolean().optional(),
  shownTags: z.array(
    z.object({
      id: z.number(),
      tag_type: SubTag.shape.tag_type,
      name: z.string(),
      count: z.number().nullable(),
      countedAt: z.number().nullable(),
      icon: z.string(),
      path: z.string(),
    }),
  ),
})

export function findWork(crowdId: number, advId: number | null): KeptWork | null {
  const kept = Kept.safeParse(saved.cowdMessage.get()).data
  return kept && kept.crowdId === crowdId && (advId === null || kept.advId === advId) ? kept : null
}

export const keepWork = (work: KeptWork) => saved.cowdMessage.set({ ...work })
export const forgetWork = () => saved.cowdMessage.clear()
