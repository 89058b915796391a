import { z } from 'zod'

/** What a viewer can do about an outcome. */
export const ACTIONS = ['reauthorise', 'retry', 'wait_until', 'free_quota', 'choose_other_account'] as const
export type Action = (typeof ACTIONS)[number]

/** An outcome of any area, as stored, sent, or given as the cause in another outcome's params. */
export interface AnyOutcome {
  code: string
  params: Record<string, unknown>
}
export const AnyOutcome: z.ZodType<AnyOutcome> = z
  .object({ code: z.string(), params: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Outcome' })

export interface Entry<P extends z.ZodType = z.ZodType> {
  params: P
  /** `say` makes the sentence of a cause. */
  sentence(params: z.output<P>, say: (cause: AnyOutcome) => string): string
  action: Action | null
}

export const entry = <S extends z.ZodRawShape>(
  shape: S,
  sentence: (params: z.output<z.ZodObject<S>>, say: (cause: AnyOutcome) => string) => string,
  action: Action | null = null,
): Entry<z.ZodObject<S>> => ({ params: z.object(shape), sentence, action })

/** An outcome whose params earlier versions stored in another form, which `upgrade` turns into the present one. */
export const upgradedEntry = <S extends z.ZodRawShape>(
  shape: S,
  upgrade: (stored: Record<string, unknown>) => Record<string, unknown>,
  sentence: (params: z.output<z.ZodObject<S>>, say: (cause: AnyOutcome) => string) => string,
): Entry<z.ZodType<z.output<z.ZodObject<S>>>> => ({
  params: z.record(z.string(), z.unknown()).transform(upgrade).pipe(z.object(shape)),
  sentence,
  action: null,
})

/** An outcome without params. */
export const plain = (sentence: string, action: Action | null = null) => entry({}, () => sentence, action)
