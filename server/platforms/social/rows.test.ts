import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { AudienceRow, FileRow, processOf, socialState } from './rows.ts'

const state = (more: object) =>
  socialState(AudienceRow.parse({ audience_id: '9007199254750003', user_count: 700, ...more }))

test.each([
  [{ status: 'PENDING' }, { status: 'computing', covered: null }],
  [{ status: 'PROCESSING' }, { status: 'computing' }],
  [{ status: 'THAWING' }, { status: 'computing' }],
  [
    { status: 'SUCCESS', online_status: 'ONLINE' },
    { status: 'available', covered: 700 },
  ],
  [{ status: 'SUCCESS', online_status: 'LOADING' }, { status: 'available' }],
  [{ status: 'SUCCESS', online_status: 'OFFLINE' }, { status: 'expired' }],
  [
    { status: 'ERROR', error_code: 203 },
    { status: 'failed', reason: outcome('platform_matched_nobody') },
  ],
  [
    { status: 'ERROR', error_code: 999 },
    { status: 'failed', reason: outcome('platform_compute_failed', { code: 999 }) },
  ],
  [{ status: 'FROZEN' }, { status: 'frozen' }],
  [{ status: 'LOCKING' }, { status: 'frozen' }],
])('an audience of %o is %o', (row, wanted) => {
  expect(state(row)).toMatchObject(wanted)
})

test('reads the state of a file as a name or, from an older API, as a number', () => {
  const stateOf = (process_status: unknown) => processOf(FileRow.parse({ custom_audience_file_id: 1, process_status }))
  expect(['PENDING', 'PROCESSING', 'SUCCESS', 'ERROR', 0, 1, 2, 3].map(stateOf)).toEqual([
    'waiting',
    'waiting',
    'done',
    'failed',
    'waiting',
    'waiting',
    'done',
    'failed',
  ])
})
