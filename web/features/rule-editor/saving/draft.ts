import { openRule } from '#contract/rule-crowd.ts'
import { call, isFault } from '../../../lib/call.ts'

/** The rule draft that an editor counts and saves through, opened when it is first needed. */
export interface Draft {
  /**
   * Runs a call on the draft; one that is gone (drafts go after a day) or that a crowd has taken is opened anew, once. The
   * taker may be this editor's own crowd, saved by a call whose answer was lost.
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
  /** One that is opened anew is filled by the call that needs it. */
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
