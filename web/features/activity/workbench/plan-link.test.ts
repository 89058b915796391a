import { expect, test } from 'vitest'
import { PLATFORMS } from '#contract/platform.ts'
import { emptyDraft, onAccount } from './draft.ts'
import { linkIn, openedFor, withLink } from './plan-link.ts'

const account = { id: 12, name: '品牌直营', external_id: '77' }
const link = { plan_id: '7301', platform: PLATFORMS.social.code, account }

test('an activity that is opened for a plan of reports gets it once', () => {
  const draft = withLink(emptyDraft(), link)
  expect(draft.plans).toMatchObject([
    { name: '平台计划 7301', plan_id: '7301', platform: PLATFORMS.social.code, account_id: 12, account },
  ])
  expect(withLink(draft, link)).toBe(draft)
})

test('a plan whose account the reports do not name keeps its id when the account is chosen', () => {
  const [plan] = withLink(emptyDraft(), { ...link, platform: null, account: null }).plans
  expect(plan).toMatchObject({ plan_id: '7301', account_id: null })
  if (plan) {
    const chosen = onAccount(plan, account)
    expect(chosen).toMatchObject({ plan_id: '7301', account_id: 12 })
    // Another account has other plans.
    expect(onAccount(chosen, { ...account, id: 13 }).plan_id).toBeNull()
  }
})

test('only what a page of ours gave is taken from the history', () => {
  expect(linkIn(openedFor(link))).toEqual(link)
  for (const other of [null, undefined, 'x', {}, { link: { plan_id: 5 } }]) expect(linkIn(other)).toBeNull()
})
