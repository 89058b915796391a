import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { CrowdFile, Funnel } from '#contract/custom-crowd.ts'
import { newKeptLines } from '../../lib/hash/kept-lines.ts'
import { forgetAllKeptLines, rememberKeptLines } from '../../lib/hash/kept-store.ts'
import { FunnelView } from './FunnelView.tsx'
import { malformedDownload } from './malformed-download.ts'

afterEach(forgetAllKeptLines)

const fileOf = (listed: number, local_id: string | null = null) =>
  ({
    id: 7,
    name: 'a.txt',
    status: 'done',
    malformed: 3,
    reasons: [{ reason: '空行', outcome: { code: 'line_empty', params: {} }, lines: 3, listed }],
    hashed: local_id === null ? null : { marked: true, local_id },
  }) as unknown as CrowdFile
const FUNNEL = { lines: 9, valid: 6, malformed: 3, duplicate: 0, removed: 0, unique: 6, counted_at: 1, accounts: [] }
const funnelOf = (file: CrowdFile) =>
  renderToStaticMarkup(<FunnelView funnel={FUNNEL as unknown as Funnel} files={[file]} childId={null} />)

test('lines that are only counted are offered nowhere', () => {
  expect(malformedDownload(fileOf(0)).kind).toBe('none')
  expect(funnelOf(fileOf(0))).not.toContain('下载无效行')
})

test('listed lines are a link to the server', () => {
  expect(malformedDownload(fileOf(2))).toMatchObject({ kind: 'server', lines: 2 })
  expect(funnelOf(fileOf(2))).toContain('files/7/malformed')
})

test('lines kept in this page are saved from here, in the funnel too', () => {
  const file = fileOf(2, 'kept')
  expect(malformedDownload(file).kind).toBe('server')
  rememberKeptLines('kept', { ...newKeptLines('HASH_IMEI'), lines: 3 })
  expect(malformedDownload(file)).toMatchObject({ kind: 'kept', lines: 3 })
  expect(funnelOf(file)).toContain('下载无效行')
  expect(funnelOf(file)).not.toContain('files/7/malformed')
})
