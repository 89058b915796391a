import { PlusOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { use, useState } from 'react'
import { listPlanCrowds } from '#contract/activity-plan.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { COMBINED_TAB, type PlatformCode } from '#contract/platform.ts'
import { ChangeButton } from '../../../components/ChangeButton.tsx'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { formatLarge } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { queryOf } from '../../../lib/query.ts'
import type { PlanDraft } from './draft.ts'
import { MakeCrowdContext } from './new-crowd.ts'
import { WayOn } from './WayOn.tsx'
import styles from './workbench.module.css'

const SHOWN = 100
const POLL_MS = 10_000
type Crowds = PlanDraft['crowds']

/** Chooses crowds that were pushed to the account, in one of the two roles; one that has the other role is not offered. */
export function CrowdsField(props: {
  id: string
  advId: number
  platform: PlatformCode
  account: PlanDraft['account']
  role: 'include' | 'exclude'
  readOnly: boolean
  value: Crowds
  onChange: (value: Crowds) => void
}) {
  const { id, advId, platform, account, role, readOnly, value, onChange } = props
  const accountId = account?.id ?? null
  const makeCrowd = use(MakeCrowdContext)
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const crowds = useQuery({
    ...queryOf(listPlanCrowds, {
      query: { account_id: accountId ?? 0, page_size: SHOWN, ...(name && { name }) },
    }),
    enabled: accountId !== null,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    // A crowd is pushed in another tab, and takes the platform a while.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => (data && data.computing > 0 ? POLL_MS : false),
  })
  const missing =
    crowds.data && !crowds.isPlaceholderData && account ? missingOf(crowds.data, account.name, name) : null
  const found = accountId === null ? [] : (crowds.data?.list ?? [])
  const own = value.filter((one) => one.role === role)
  const others = value.filter((one) => one.role !== role)
  const beyond = own.filter((one) => !found.some((row) => row.id === one.id))
  const nameOf = (crowd: number) =>
    found.find((row) => row.id === crowd)?.name ?? own.find((one) => one.id === crowd)?.name ?? ''
  return (
    <>
      <Select
        id={id}
        mode="multiple"
        allowClear={CLEARABLE}
        disabled={readOnly || accountId === null}
        placeholder={accountId === null ? '请先选择投放账户' : '可不选'}
        loading={crowds.isFetching}
        maxTagCount={4}
        showSearch={{ onSearch: setTyped, filterOption: false }}
        notFoundContent={crowds.error ? `人群加载失败：${crowds.error.message || '请求失败'}` : '该账户没有可用的人群'}
        onOpenChange={(isOpen) => isOpen && accountId !== null && void crowds.refetch()}
        value={own.map((one) => one.id)}
        onChange={(ids: number[]) =>
          onChange([...others, ...ids.map((crowd) => ({ id: crowd, role, name: nameOf(crowd) }))])
        }
        options={[
          ...beyond.map((one) => ({ value: one.id, label: one.name, disabled: false })),
          ...found.map((row) => ({
            value: row.id,
            label: row.cover_num === null ? row.name : `${row.name}（覆盖 ${formatLarge(row.cover_num)}）`,
            disabled: others.some((one) => one.id === row.id),
          })),
        ]}
      />
      {missing !== null && role === 'include' && (
        <WayOn
          missing={missing}
          ways={[
            { label: '推送自定义人群', to: paths.customCrowd() },
            { label: '推送组合定向包', to: paths.assets(COMBINED_TAB, { adv_id: advId }) },
          ]}
          place="人群管理"
          onRefresh={crowds.refetch}
          isRefreshing={crowds.isFetching}
        />
      )}
      {makeCrowd && (
        <ChangeButton
          changes={advId}
          type="link"
          size="small"
          className={styles.make}
          icon={<PlusOutlined />}
          refusal={account === null ? '请先选择投放账户' : null}
          onClick={() => account && makeCrowd({ platform, account }, (made) => onChange([...value, { ...made, role }]))}
        >
          新建组合定向包
        </ChangeButton>
      )}
    </>
  )
}

/** What a plan of the account has to wait for, or do without; null where there are crowds, or they are searched. */
function missingOf({ total, computing }: DataOf<typeof listPlanCrowds>, account: string, name: string): string | null {
  if (total > 0 || name !== '') return null
  return computing > 0
    ? `推送到账户「${account}」的 ${computing} 个人群平台还在处理，完成后就能在这里选择。`
    : `账户「${account}」还没有可用的人群，推送后就能在这里选择。`
}
