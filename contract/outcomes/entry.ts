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
  .object({
    code: z.string().describe('原因的代码，例如 crowd_deleted；不会改变'),
    params: z.record(z.string(), z.unknown()).describe('句子中的参数，由代码决定有哪些；cause 是更深一层的原因'),
  })
  .meta({ id: 'Outcome', description: '拒绝、暂停或失败的原因，供程序判断；旁边的句子由它生成' })

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
