import { expect, test } from 'vitest'
import { accountBareName, accountFullName, covers, mayOpenTab } from './advertiser.ts'

test.each([
  [['all'], 'audience_management', true],
  [['all'], ['audience_management', 'ads_management'], true],
  [['audience_management', 'ads_management'], 'audience_management', true],
  [['audience_management'], ['audience_management', 'ads_management'], false],
  [['ads_management'], 'all', false],
  [['ads_management'], [], true],
  [[], 'audience_management', false],
  [[], [], false],
])('%j covers %j: %s', (held, required, is) => {
  expect(covers(held, required)).toBe(is)
})

const some = [{ id: 1 }]
const holding = (...scope_list: string[]) => [{ scope_list }]

test.each([
  ['saas', 1, some, [], true],
  ['saas', 3, some, [], true],
  ['saas', 3, [], holding('all'), false],
  ['rps', 1, some, [], true],
  ['rps', 1, [], [], false],
  ['rps', 2, some, holding('audience_management'), true],
  ['rps', 2, some, holding('all'), true],
  ['rps', 2, some, holding('ads_management'), false],
  ['rps', 2, some, [], false],
  ['rps', 3, some, holding('audience_management'), false],
  ['rps', 3, some, holding('all'), true],
  ['rps', 4, some, holding('audience_management'), false],
  ['rps', 4, some, [...holding(), ...holding('all')], true],
] as const)('%s, tab %s, advertisers %j, accounts %j: %s', (deployment, tab, advertisers, accounts, is) => {
  expect(mayOpenTab(deployment, tab, advertisers, accounts)).toBe(is)
})

test('an account is shown with its id once', () => {
  expect(accountFullName('某公司', '9007')).toBe('某公司（9007）')
  expect(accountFullName('某公司（9007）', '9007')).toBe('某公司（9007）')
  expect(accountBareName('某公司（9007）', '9007')).toBe('某公司')
  expect(accountBareName('某公司（上海）', '9007')).toBe('某公司（上海）')
})
