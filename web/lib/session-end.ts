/** Navigation state of the sign-in page after a session ended; signing in leads back. */
export const sessionEnd = (hadSession: boolean) => ({ ended: hadSession })

export const isSessionEnd = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'ended' in state && state.ended === true
