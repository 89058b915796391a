import { openRule } from '#contract/rule-crowd.ts'
import { call, isFault } from '../../../lib/call.ts'

/** The rule draft through which an editor counts and saves; opened when first needed. */
export interface Draft {
  /**
   * Runs a call on the draft. A draft that was swept (after a day) or that a crowd has taken is replaced, once. The
   * crowd may be this editor's own, saved by a call whose answer was lost.
   */
  use<T>(run: (rId: number) => Promise<T>): Promise<T>
}

const LOST = ['notFound', 'ruleTaken', 'ruleHasCrowd'] as const

export function draftOf(
  advId: number,
  from: number | null,
  opened: number | null,
  onOpen: (rId: number) => void,
): Draft {
  let id = opened
  /** A replacement starts empty: the call that needs it stores the rule. */
  let copied = from
  let opening: Promise<number> | null = opened === null ? null : Promise.resolve(opened)

  function open(): Promise<number> {
    opening ??= call(openRule, { body: { advId, ...(copied === null ? {} : { from: copied }) } }).then(
      ({ rId }) => {
        id = rId
        onOpen(rId)
        return rId
      },
      (error: unknown) => {
        opening = null
        throw error
      },
    )
    return opening
  }

  return {
    async use(run) {
      const rId = await open()
      try {
        return await run(rId)
      } catch (error) {
        if (!LOST.some((fault) => isFault(error, fault))) throw error
        if (id === rId) {
          id = null
          opening = null
          copied = null
        }
        return run(await open())
      }
    },
  }
}
