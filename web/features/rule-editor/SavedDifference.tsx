import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Popover, Tooltip } from 'antd'
import type { z } from 'zod'
import type { CrowdUser } from '#contract/live-plan.ts'
import { emptyLeavesOf, type RuleNode } from '#contract/rule.ts'
import { compareRule } from '#contract/rule-crowd.ts'
import { UserLinks } from '../../domain/crowd/deletion.tsx'
import { useDebounced } from '../../lib/debounced.ts'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './rule-editor.module.css'

type UsingPackage = z.output<typeof compareRule.data>['packages'][number]

/** A rule is compared once it has not changed for this long, ms: later than it is counted. */
const COMPARE_DEBOUNCE_MS = 600

/** How many people a changed rule would bring into its crowd and take out of it once it is saved, and what uses the crowd. */
export function SavedDifference({ crowdId, rule }: { crowdId: number; rule: RuleNode }) {
  const settled = useDebounced(rule, COMPARE_DEBOUNCE_MS)
  const compared = useQuery({
    ...queryOf(compareRule, { params: { id: crowdId }, body: { rule: settled } }),
    enabled: emptyLeavesOf(settled).length === 0,
    placeholderData: keepPreviousData,
    // A crowd without a result has nothing to compare with.
    meta: { silent: 'optional' },
    retry: false,
  })
  const found = compared.data
  if (!found || emptyLeavesOf(rule).length > 0) return null
  const isOld = compared.isPlaceholderData || settled !== rule
  return (
    <section className={styles.difference} aria-label="保存后的变化">
      <Tooltip title={`与人群现在的 ${formatCount(found.before)} 人相比，${formatAsOf(found.computed_at)}`}>
        <span className={`${styles.note} ${isOld ? styles.stale : ''}`} data-difference>
          保存后进入 {formatCount(found.entered)} 人，离开 {formatCount(found.left)} 人
        </span>
      </Tooltip>
      {found.users.length + found.packages.length > 0 && <Users users={found.users} packages={found.packages} />}
    </section>
  )
}

const Users = ({ users, packages }: { users: readonly CrowdUser[]; packages: readonly UsingPackage[] }) => (
  <Popover
    trigger="click"
    title="随之改变的人群、定向包与计划"
    content={
      <ul className={styles.users}>
        {users.map((user) => (
          <li key={`${user.kind} ${user.id} ${user.name}`}>
            <UserLinks users={[user]} />
          </li>
        ))}
        {packages.map(({ id, name, platform }) => (
          <li key={`package ${id}`}>
            定向包{' '}
            <a href={paths.targetingPackage(platform, id)} target="_blank" rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    }
  >
    <Button type="link" size="small" danger>
      {users.length + packages.length} 个人群、定向包或计划在使用
    </Button>
  </Popover>
)
