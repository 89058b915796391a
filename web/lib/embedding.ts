import type { EmbedMessage } from '#contract/embed.ts'
import { saved } from './saved-context.ts'

/** The console in a frame of another site. Its session is sent with every call, since a frame sends no cookies. */
export interface Embedding {
  session: string
  /** The site that receives messages. */
  origin: string
}

export const isFramed = () => typeof window !== 'undefined' && window.parent !== window

// Browsers may forbid storage in frames of other sites; then a reload needs a new token.
let held: Embedding | null = null

/** null outside of a frame: another page of the same tab must not use a frame's session. */
export const embedding = (): Embedding | null => (isFramed() ? (held ?? saved.embedding.get()) : null)

export function beginEmbedding({ session, origin }: Embedding): void {
  held = { session, origin }
  saved.embedding.set(held)
}

/** Sends a message to the site around the frame, and to no other. */
export function postToHost(message: EmbedMessage): void {
  const { origin } = embedding() ?? {}
  if (origin) window.parent.postMessage(message, origin)
}
