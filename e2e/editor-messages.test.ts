import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OUTCOMES, type Outcome } from '#contract/outcome.ts'
import { formFaults as fiveTabFaults } from '#contract/targeting/five-tab/faults.ts'
import { emptyForm as emptyFiveTab } from '#contract/targeting/five-tab/form.ts'
import type { FiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import type { FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import { formFaults as socialFaults } from '#contract/targeting/social/faults.ts'
import { emptyForm as emptySocial } from '#contract/targeting/social/form.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { BASE_CLICKS, BASE_KEPT, DIALOG_MESSAGES } from './editor-messages/base.ts'
import type { KeptCase } from './editor-messages/cases.ts'
import { COMMERCE_CLICKS, COMMERCE_KEPT, VIDEO_CLICKS, VIDEO_KEPT } from './editor-messages/five-tab.ts'
import { SOCIAL_CLICKS, SOCIAL_CROWDS, SOCIAL_KEPT, SOCIAL_NO_CROWDS } from './editor-messages/social.ts'

const ROOT = join(import.meta.dirname, '..')
/** Every code that a file of rules can answer. */
const codesIn = (file: string) => {
  const words = readFileSync(join(ROOT, file), 'utf8').matchAll(/'(\w+)'/g)
  return new Set([...words].map(([, word]) => word as string).filter((word) => word in OUTCOMES))
}
const without = (codes: ReadonlySet<string>, ...others: string[]) =>
  [...codes].filter((code) => !others.includes(code)).toSorted()

interface Fault {
  field: string
  reason: Outcome
}
/** What stands at each field: its first fault. */
const shownAt = (faults: readonly Fault[]) => new Map(faults.toReversed().map(({ field, reason }) => [field, reason]))

const saidBy = (kept: readonly Pick<KeptCase<string, object>, 'says'>[]): Fault[] =>
  kept.flatMap(({ says }) =>
    Object.entries(says).flatMap(([field, said]) => (said ? { field, reason: said.reason } : [])),
  )
const codesOf = (faults: readonly { reason: Outcome }[]) =>
  [...new Set(faults.map(({ reason }) => reason.code))].toSorted()

const FIVE_TAB = [...VIDEO_CLICKS, ...COMMERCE_CLICKS, ...saidBy([...VIDEO_KEPT, ...COMMERCE_KEPT])]
const SOCIAL = [...SOCIAL_CLICKS, ...SOCIAL_CROWDS, ...SOCIAL_NO_CROWDS, ...saidBy(SOCIAL_KEPT)]
const BASE = [...BASE_CLICKS, ...BASE_KEPT]

describe('every message of a form is seen in a browser', () => {
  test('on the editor of five tabs', () => {
    const atTheTop = ['input_refused', 'targeting_folder_missing', 'targeting_type_missing']
    expect(codesOf(FIVE_TAB)).toEqual(
      without(codesIn('contract/targeting/five-tab/faults.ts'), 'targeting_tab_check', ...atTheTop),
    )
  })

  test('on the social editor', () => {
    const atTheTop = ['input_refused', 'targeting_folder_missing']
    expect(codesOf(SOCIAL)).toEqual(
      without(codesIn('contract/targeting/social/faults.ts'), 'social_tab_incomplete', ...atTheTop),
    )
  })

  test('above the tabs', () => {
    const codes = codesIn('web/features/targeting-editor/base-faults.ts')
    const three = ['input_refused', 'targeting_folder_missing', 'targeting_type_missing']
    expect(codesOf(BASE)).toEqual([...new Set([...codes, ...three])].toSorted())
  })

  test('in the dialog of a new package', () => {
    const prevented = ['targeting_folder_missing', 'targeting_expiry_past']
    const codes = without(codesIn('contract/targeting/new-package.ts'), ...prevented)
    expect(codesOf(DIALOG_MESSAGES)).toEqual([...new Set([...codes, 'input_refused'])].toSorted())
  })
})

/** Each list without values, and each with more than any holds; behind 自定义 where the field opens so. */
function probed<F extends object>(form: F, faultsOf: (form: F) => readonly Fault[]): string[] {
  const lists = Object.entries(form).filter(([, value]) => Array.isArray(value) || value === null)
  const filled = Array.from({ length: 400 }, (_, no) => ({ id: String(no), min: 1, max: 90 }))
  const found = lists.flatMap(([field]) => [
    ...faultsOf({ ...form, [field]: [] }),
    ...faultsOf({ ...form, [field]: filled }),
  ])
  return [...new Set(found.map(({ field, reason }) => `${field} ${reason.code}`))].toSorted()
}

test('each dimension of the social editor is seen without values and with too many', () => {
  const opened: SocialForm = {
    ...emptySocial(),
    ...{
      geo_location: 'REGIONS',
      behavior: 'CUSTOM',
      interest: 'CUSTOM',
      excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
    },
  }
  const forms: SocialForm[] = [opened, { ...opened, geo_location: 'CUSTOM_LOCATIONS' }]
  const found = new Set(forms.flatMap((form) => probed(form, socialFaults)))
  const seen = new Set(SOCIAL.map(({ field, reason }) => `${field} ${reason.code}`))
  expect([...found].filter((one) => !seen.has(one))).toEqual([])
})

describe('forms of earlier visits', () => {
  const fiveTab = (platform: FiveTabPlatform, form: Partial<FiveTabForm>) =>
    fiveTabFaults(platform, { ...emptyFiveTab(platform), ...form })
  const social = (form: Partial<SocialForm>) => socialFaults({ ...emptySocial(), ...form })

  const both = <F>({ form, edge }: { form: F; edge: F }, faultsOf: (form: F) => Fault[]) => ({
    found: faultsOf(form),
    atTheEdge: faultsOf(edge),
  })
  test.each([
    ...VIDEO_KEPT.map((one) => ({ ...one, ...both(one, (form) => fiveTab('video', form)) })),
    ...COMMERCE_KEPT.map((one) => ({ ...one, ...both(one, (form) => fiveTab('commerce', form)) })),
    ...SOCIAL_KEPT.map((one) => ({ ...one, ...both(one, social) })),
  ])('$title: this is said and nothing else, and nothing of what the controls allow', ({ says, found, atTheEdge }) => {
    expect(shownAt(found)).toEqual(new Map(saidBy([{ says }]).map(({ field, reason }) => [field, reason])))
    expect(atTheEdge).toEqual([])
  })
})
