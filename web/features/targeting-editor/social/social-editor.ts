import { PLATFORMS } from '#contract/platform.ts'
import { changed } from '#contract/targeting/social/change.ts'
import { dimensionsOf } from '#contract/targeting/social/dimensions.ts'
import { baseFaults, firstFault, formFaults } from '#contract/targeting/social/faults.ts'
import { FIELDS, type Field, TAB_ORDER, TABS } from '#contract/targeting/social/fields.ts'
import { emptyForm, formOf } from '#contract/targeting/social/form.ts'
import { previewNotes } from '#contract/targeting/social/notes.ts'
import { isWithdrawn, WITHDRAWN_LABEL } from '#contract/targeting/social/platform.ts'
import { savedTargeting } from '#contract/targeting/social/save.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { isShown } from '#contract/targeting/social/shown.ts'
import { targetingWords } from '#contract/targeting/social/words.ts'
import type { EditorDefinition } from '../editor-definition.ts'
import { TabFields } from './fields.tsx'
import { useNames } from './use-names.ts'

/** The editor of the social platform's packages. */
export const SOCIAL_EDITOR: EditorDefinition<SocialForm> = {
  platform: PLATFORMS.social.code,
  tabs: TAB_ORDER.map((key) => ({ key, label: TABS[key] })),
  crowdTab: 'crowd',
  fields: FIELDS,
  TabFields,

  emptyForm,
  formOf,
  savedTargeting,
  changed,
  isShown: (field: Field, form) => isShown(field, form),
  labelNote: (field: Field) => (isWithdrawn(field) ? WITHDRAWN_LABEL : null),

  // The platform has no package types.
  withType: (form) => form,
  typeWords: () => null,

  baseFaults: (base) => baseFaults(base),
  faults: formFaults,
  firstFault,
  words: (form) => targetingWords(form),
  useWords: (form) => targetingWords(form, useNames()),
  notes: previewNotes,
  dimensions: (form) => dimensionsOf(form).map((dimension) => ({ ...dimension, isOpened: false })),
  // The platform has no smart expansion.
  expansionNote: () => null,
  GoalsDialog: null,
}
