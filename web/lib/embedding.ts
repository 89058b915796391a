import type { EmbedMessage } from '#contract/embed.ts'
import { saved } from './saved-context.ts'

/** The console in a frame of another site: its session is sent with every call, since a frame's cookies are not. */
export interface Embedding {
  session: string
  /** The site that is told what happens here. */
  origin: string
}

export const isFramed = () => typeof window !== 'undefined' && window.parent !== window

// Browsers may forbid storage in frames of other sites; where they do, only a reload asks for a new token.
let held: Embedding | null = null

/** null outside of a frame: a page of the same tab must not take up a frame's session. */
export const embedding = (): Embedding | null => (isFramed() ? (held ?? saved.embedding.get()) : null)

export function beginEmbedding({ session, origin }: Embedding): void {
  held = { session, origin }
  saved.embedding.set(held)
}

/** Tells the site around the frame; no other site hears it. */
export function tellHost(message: EmbedMessage): void {
  const { origin } = embedding() ?? {}
  if (origin) window.parent.postMessage(message, origin)
}
