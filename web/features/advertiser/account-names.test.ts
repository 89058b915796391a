import { expect, test } from 'vitest'
import { namesOf } from './account-names.ts'

const account = (n: number) => ({ name: `旗舰店${n}`, external_id: `90${n}` })

test.each([
  ['a name that has its id is not given it twice', [{ name: '云杉（905）', external_id: '905' }], '云杉（905）'],
  ['several', [account(1), account(2)], '旗舰店1（901）、旗舰店2（902）'],
  [
    'beyond eight they are counted',
    Array.from({ length: 9 }, (_, n) => account(n)),
    `${Array.from({ length: 8 }, (_, n) => `旗舰店${n}（90${n}）`).join('、')} 等 9 个`,
  ],
])('names of accounts: %s', (_, accounts, names) => {
  expect(namesOf(accounts)).toBe(names)
})
