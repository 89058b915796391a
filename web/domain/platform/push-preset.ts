import type { CustomChild } from '#contract/audience.ts'

/** What the push dialog begins with: an audience that is pushed again. Without an account a viewer chooses one. */
export interface PushPreset extends Pick<CustomChild, 'cnt_type' | 'types' | 'keeps_step'> {
  /** Our id of the platform account, as `adv_id` of children. */
  adv_id: number | null
}

/** The same push without its account, for the viewer to choose another one. */
export const withoutAccount = ({ cnt_type, types, keeps_step }: PushPreset): PushPreset => ({
  cnt_type,
  types,
  keeps_step,
  adv_id: null,
})
