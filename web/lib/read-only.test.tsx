import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { type Changes, MembershipContext, useReadOnly } from './read-only.ts'

const Refusal = ({ changes }: { changes: Changes | undefined }) => useReadOnly()(changes) ?? 'allowed'
const refused = FAULTS.readOnly.msg

// The member may only look at 2, which is the advertiser in the top bar.
test.each<[string, Changes | undefined, boolean, string]>([
  ['what changes nothing', undefined, false, 'allowed'],
  ['things of an advertiser of theirs', 1, false, 'allowed'],
  ['things of one to look at', 2, false, refused],
  ['things of the one in the top bar', 'current', false, refused],
  ['folders, while they change things elsewhere', 'shared', false, 'allowed'],
  ['folders, where all are to look at', 'shared', true, refused],
])('%s', (_, changes, isReader, answer) => {
  const html = renderToStaticMarkup(
    <MembershipContext value={{ readOnlyIds: [2], current: 2, isReader }}>
      <Refusal changes={changes} />
    </MembershipContext>,
  )
  expect(html).toBe(answer)
})
