import { changed } from '#contract/targeting/five-tab/change.ts'
import { dimensionsOf, expansionNote } from '#contract/targeting/five-tab/dimensions.ts'
import { baseFaults, firstFault, formFaults } from '#contract/targeting/five-tab/faults.ts'
import { FIELDS, type Field, TAB_ORDER, TABS } from '#contract/targeting/five-tab/fields.ts'
import { emptyForm, formOf } from '#contract/targeting/five-tab/form.ts'
import { labelOf } from '#contract/targeting/five-tab/labels.ts'
import { previewNotes } from '#contract/targeting/five-tab/notes.ts'
import { codesOf, type FiveTabPlatform, isWithdrawn, WITHDRAWN_LABEL } from '#contract/targeting/five-tab/platforms.ts'
import { savedTargeting } from '#contract/targeting/five-tab/save.ts'
import type { FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import { isShown } from '#contract/targeting/five-tab/shown.ts'
import { targetingWords } from '#contract/targeting/five-tab/words.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { later } from '../../../components/later.tsx'
import type { EditorDefinition } from '../editor-definition.ts'
import { TabFields } from './fields.tsx'
import { useNames } from './use-names.ts'

const GoalsDialog = later(() => import('./GoalsDialog.tsx').then((file) => file.GoalsDialog))

/** The editor of platforms 2 and 3, which differ by the contract's data. */
export const fiveTabEditor = (platform: FiveTabPlatform, code: PackageCode): EditorDefinition<FiveTabForm> => ({
  platform: code,
  tabs: TAB_ORDER.map((key) => ({ key, label: TABS[key] })),
  crowdTab: 'crowd',
  fields: FIELDS,
  TabFields,

  emptyForm: () => emptyForm(platform),
  formOf: (targeting) => formOf(platform, targeting),
  savedTargeting: (form) => savedTargeting(platform, form),
  changed: (form, change) => changed(platform, form, change),
  isShown: (field: Field, form) => isShown(platform, field, form),
  labelNote: (field: Field) => (isWithdrawn(platform, field) ? WITHDRAWN_LABEL : null),

  withType(form, type) {
    const landing_type = codesOf(platform, 'landing_type').find((code) => code === type) ?? null
    return changed(platform, form, { landing_type })
  },
  typeWords: ({ landing_type }) => (landing_type === null ? null : labelOf('landing_type', landing_type)),

  baseFaults: (base, { landing_type }) => baseFaults(platform, { ...base, landing_type }),
  faults: (form, known) => formFaults(platform, form, known),
  firstFault,
  words: (form) => targetingWords(platform, form),
  useWords: (form) => targetingWords(platform, form, useNames()),
  notes: (form) => previewNotes(platform, form),
  dimensions: (form) => dimensionsOf(platform, form),
  expansionNote: (form) => expansionNote(platform, form),
  GoalsDialog: platform === 'commerce' ? GoalsDialog : null,
})
