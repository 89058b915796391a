import { openRule } from '#contract/rule-crowd.ts'
import { call, isFault } from '../../lib/call.ts'

/** The rule draft that an editor counts and saves through, opened when it is first needed. */
export interface Draft {
  /** Runs a call on the draft; one that is gone (drafts go after a day) or taken is opened anew, once. */
  use<T>(run: (rId: number) => Promise<T>): Promise<T>
  /** Its id, when it is open. */
  id(): number | null
}

export function draftOf(
  advId: number,
  from: number | null,
  opened: number | null,
  onOpen: (rId: number) => void,
): Draft {
  let id = opened
  let opening: Promise<number> | null = opened === null ? null : Promise.resolve(opened)

  function open(): Promise<number> {
    opening ??= call(openRule, { body: { advId, ...(from === null ? {} : { from }) } }).then(
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
    id: () => id,
    async use(run) {
      const rId = await open()
      try {
        return await run(rId)
      } catch (error) {
        if (!isFault(error, 'notFound') && !isFault(error, 'ruleTaken')) throw error
        if (id === rId) {
          id = null
          opening = null
        }
        return run(await open())
      }
    },
  }
}
