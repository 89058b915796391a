import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { MembershipContext } from '../../lib/read-only.ts'
import { useMakingRefusal } from './use-making-refusal.ts'

const Refusal = ({ advId }: { advId: number | undefined }) => useMakingRefusal()(advId) ?? 'allowed'

// The member may only look at 2.
test.each<[string, { current?: number; copied?: number; isReader?: boolean }, boolean]>([
  ['a new package of an advertiser of theirs', { current: 1 }, true],
  ['a new package of one to look at', { current: 2 }, false],
  ['a copy of a package of one to look at', { current: 1, copied: 2 }, false],
  ['a copy of a package of an advertiser of theirs', { current: 2, copied: 1 }, true],
  ['a new package without an advertiser in the top bar', {}, true],
  ['the same where all are to look at', { isReader: true }, false],
])('%s', (_, { current, copied, isReader = false }, isAllowed) => {
  const html = renderToStaticMarkup(
    <MembershipContext value={{ readOnlyIds: [2], current, isReader }}>
      <Refusal advId={copied} />
    </MembershipContext>,
  )
  expect(html).toBe(isAllowed ? 'allowed' : FAULTS.readOnly.msg)
})
