/** What the sign-in page is told that a session which ended leads to; one is then led back to where one was. */
export const sessionEnd = (hadSession: boolean) => ({ ended: hadSession })

export const isSessionEnd = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'ended' in state && state.ended === true
