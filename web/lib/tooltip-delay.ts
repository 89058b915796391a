/** How long a tooltip waits, so that a mouse that only crosses a list opens none. */
export const TOOLTIP_DELAY_MS = 600
