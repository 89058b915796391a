import { z } from 'zod'
import { localId } from '../../lib/local-id.ts'
import { saved } from '../../lib/saved-context.ts'

/** What a new package starts from; nothing for an empty one. */
const Start = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('template'), id: z.number() }),
  z.object({ kind: z.literal('ready'), key: z.string() }),
  z.object({ kind: z.literal('package'), id: z.number() }),
])
export type Start = z.infer<typeof Start>

/** What the dialog of a new package chose. */
const Ticket = z.object({
  advertiser_id: z.number(),
  advertiser_name: z.string(),
  /** The advertiser whose accounts were offered; null for all of the viewer's. */
  adv_id: z.number().nullable().default(null),
  dir_id: z.number(),
  name: z.string(),
  landing_type: z.string().nullable(),
  invalid_time: z.number(),
  start: Start.nullable().default(null),
})
export type Ticket = z.infer<typeof Ticket>

/** Tickets of tabs that were never opened are forgotten in turn. */
const KEPT = 10

/** Keeps what was chosen; returns the ticket for the editor's address. */
export function issueTicket(chosen: Ticket): string {
  const ticket = localId()
  const before = Object.entries(saved.gdtCowdMessage.get() ?? {}).slice(1 - KEPT)
  saved.gdtCowdMessage.set(Object.fromEntries([...before, [ticket, chosen]]))
  return ticket
}

/** What was chosen under a ticket; null for one that is unknown or lost. */
export const findTicket = (ticket: string | null): Ticket | null =>
  ticket === null ? null : (Ticket.safeParse(saved.gdtCowdMessage.get()?.[ticket]).data ?? null)
