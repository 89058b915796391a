import type { Fan } from '#contract/targeting/five-tab/schema.ts'

/** What tells one creator or category of creators from the others. */
export const keyOf = (fan: Fan): string =>
  fan.type === 'account' ? `account ${fan.label_id}` : `category ${fan.value}`
