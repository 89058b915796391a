import { Button, Flex, Select, Tag } from 'antd'
import { useState } from 'react'
import type { RegionPlan } from '#contract/region-plan.ts'
import { CHOSEN_PLANS_MAX } from '#contract/targeting/common.ts'
import { useNameSearch } from '../../../lib/name-search.ts'
import { useEditing } from '../editor-context.ts'
import { usePlans } from '../use-dictionary.ts'
import { PlansDialog } from './PlansDialog.tsx'
import styles from './region-plans.module.css'
import { SavePlanDialog } from './SavePlanDialog.tsx'

/** A plan as a package holds it: as it was when it was chosen. */
export type ChosenPlan = Pick<RegionPlan, 'id' | 'name' | 'regions'>

interface Props {
  /** What a new plan would hold. */
  regions: readonly string[]
  /** Of a package that holds plans as such. */
  chosen?: readonly ChosenPlan[]
  onAdd: (plan: ChosenPlan) => void
  onRemove?: (id: number) => void
}

/** The advertiser's region plans: choosing some, and saving what is chosen as one. */
export function RegionPlans({ regions, chosen = [], onAdd, onRemove }: Props) {
  const { isReadOnly } = useEditing()
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const { onSearch, isFound } = useNameSearch()
  const plans = usePlans(!isReadOnly)
  const list = plans.data?.REGION_PLAN ?? []
  const offered = list.filter(({ id }) => chosen.every((one) => one.id !== id))
  const isFull = chosen.length >= CHOSEN_PLANS_MAX
  if (isReadOnly && chosen.length === 0) return null
  return (
    <div className={styles.plans}>
      {!isReadOnly && (
        <Flex wrap align="center" gap={8}>
          <Select<number>
            className={styles.choose ?? ''}
            aria-label="加入地域包"
            placeholder={isFull ? `最多 ${CHOSEN_PLANS_MAX} 个地域包` : '加入地域包'}
            disabled={isFull}
            value={null as unknown as number}
            loading={plans.isLoading}
            notFoundContent={
              plans.error
                ? `地域包加载失败：${plans.error.message || '请求失败'}`
                : list.length > 0
                  ? '没有匹配的地域包'
                  : '还没有地域包'
            }
            showSearch={{
              onSearch,
              filterOption: (typed, option) => isFound(String(option?.title), typed),
            }}
            options={offered.map(({ id, name, regions: { length } }) => ({
              value: id,
              title: name,
              label: `${name}（${length} 个地域）`,
            }))}
            onChange={(id) => {
              const plan = list.find((one) => one.id === id)
              if (plan) onAdd({ id: plan.id, name: plan.name, regions: plan.regions })
            }}
          />
          <Button type="link" size="small" disabled={regions.length === 0} onClick={() => setOpen('save')}>
            存为地域包
          </Button>
          <Button type="link" size="small" onClick={() => setOpen('manage')}>
            管理地域包
          </Button>
        </Flex>
      )}
      {chosen.length > 0 && (
        <Flex wrap gap={8} role="list" aria-label="已选地域包">
          {chosen.map(({ id, name, regions: { length } }) => (
            <Tag
              key={id}
              role="listitem"
              closable={!isReadOnly && { 'aria-label': `移除「${name}」` }}
              onClose={() => onRemove?.(id)}
            >
              {name}（{length} 个地域）
            </Tag>
          ))}
        </Flex>
      )}
      {open === 'save' && <SavePlanDialog regions={regions} onClose={() => setOpen(null)} />}
      {open === 'manage' && <PlansDialog plans={plans} onClose={() => setOpen(null)} />}
    </div>
  )
}
