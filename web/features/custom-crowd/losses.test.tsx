import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CustomCrowd } from '#contract/custom-crowd.ts'
import { CrowdStatus } from './CustomStatusTag.tsx'

const shown = (given: Partial<CustomCrowd>) =>
  renderToStaticMarkup(
    <CrowdStatus
      crowd={
        {
          status: 'available',
          progress: null,
          stage: '',
          reason: null,
          reason_outcome: null,
          retry_task_id: null,
          unread_files: 0,
          unread_members: 0,
          invalid_share: null,
          ...given,
        } as CustomCrowd
      }
      onRetry={() => {}}
    />,
  ).replace(/<[^>]*>/g, ' ')

test.each<[string, Partial<CustomCrowd>, string | null]>([
  ['no report', {}, null],
  ['no loss', { invalid_share: 0 }, null],
  ['5 %', { invalid_share: 0.05 }, null],
  ['a little more', { invalid_share: 0.0512 }, '无效行 5.1%'],
  ['nearly all: never rounded up', { invalid_share: 0.99999 }, '无效行 99.9%'],
  ['all', { invalid_share: 1 }, '无效行 100%'],
  ['no valid line at all', { invalid_share: 1, user_count: 0 }, '无有效数据'],
  ['a crowd that is being computed', { invalid_share: 1, status: 'computing' }, null],
])('a crowd with %s', (_, given, mark) => {
  const words = shown(given)
  if (mark === null) expect(words).not.toContain('无')
  else expect(words).toContain(mark)
})
