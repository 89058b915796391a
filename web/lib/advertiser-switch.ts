/** Navigation state of a page that opens for another advertiser; `ticket` tells one such navigation from the next. */
export const switching = (ticket: number) => ({ switching: ticket })

/** The ticket of a navigation that switches the advertiser; null for any other. */
export const switchOf = (state: unknown): number | null =>
  typeof state === 'object' && state !== null && 'switching' in state && typeof state.switching === 'number'
    ? state.switching
    : null
