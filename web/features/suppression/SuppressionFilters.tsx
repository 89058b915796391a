import { DownloadOutlined } from '@ant-design/icons'
import { Button, Flex, Select } from 'antd'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { SUPPRESSION_EXPORT_PATH } from '#contract/suppression.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import space from '../../components/space.module.css'
import { formatCount } from '../../lib/format.ts'
import { filterOf, type SuppressionListState } from './list-state.ts'
import styles from './suppression.module.css'

const TYPES = IdentifierType.options.map((value) => ({ value, label: IDENTIFIERS[value].label }))

/** Search by identifier, and what is done with all that it finds. */
export function SuppressionFilters(props: {
  advId: number
  state: SuppressionListState
  onState: (change: Partial<SuppressionListState>) => void
  total: number
  onRemoveAll: () => void
}) {
  const { advId, state, onState, total, onRemoveAll } = props
  const filter = filterOf(state)
  const isFiltered = Object.keys(filter).length > 0
  const query = new URLSearchParams({ adv_id: String(advId), ...filter })
  return (
    <Flex wrap gap={12} align="center" className={space.filters} role="search" aria-label="筛选">
      <FilterText
        label="完整标识，或 138****1234"
        width={260}
        value={state.keyword}
        onChange={(keyword) => onState({ keyword: keyword.trim(), page: 1 })}
      />
      <Select
        allowClear
        aria-label="标识类型"
        placeholder="标识类型"
        className={styles.type}
        value={state.type}
        options={TYPES}
        onChange={(type) => onState({ type: type ?? null, page: 1 })}
      />
      {total > 0 && (
        <>
          <Button icon={<DownloadOutlined />} href={`${SUPPRESSION_EXPORT_PATH}?${query}`} download>
            {isFiltered ? `导出符合条件的 ${formatCount(total)} 个` : '导出'}
          </Button>
          <ChangeButton changes={advId} danger onClick={onRemoveAll}>
            {isFiltered ? `移出符合条件的 ${formatCount(total)} 个` : '全部移出'}
          </ChangeButton>
        </>
      )}
    </Flex>
  )
}
