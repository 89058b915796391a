import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { isAudienceCode, type PlatformCode, platformInfo } from '#contract/platform.ts'
import { listTargetings } from '#contract/targeting-package.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { useMakingRefusal } from '../../../domain/targeting/use-making-refusal.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { paths } from '../../../lib/paths.ts'
import { queryOf } from '../../../lib/query.ts'
import { WayOn } from './WayOn.tsx'

const SHOWN = 50

interface Named {
  id: number
  name: string
}

/** Chooses one of the account's targeting packages; those that expired are not offered. */
export function PackageField(props: {
  id: string
  advId: number
  platform: PlatformCode
  account: { id: number; name: string } | null
  readOnly: boolean
  value: Named | null
  onChange: (value: Named | null) => void
}) {
  const { id, advId, platform, account, readOnly, value, onChange } = props
  const accountId = account?.id ?? null
  const refusal = useMakingRefusal()(advId)
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const packages = useQuery({
    ...queryOf(listTargetings, {
      body: { advertiser_id: accountId ?? 0, status: '1,2,3,4', page_size: SHOWN, ...(name && { name }) } as never,
    }),
    enabled: accountId !== null,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    // A package is made in another tab.
    refetchOnWindowFocus: 'always',
  })
  const found = accountId === null ? [] : (packages.data?.list ?? [])
  const isEmpty = packages.data?.page_info.total_number === 0 && !packages.isPlaceholderData && name === ''
  const isBeyond = value !== null && !found.some((one) => one.id === value.id)
  const field = (
    <Select
      id={id}
      allowClear={CLEARABLE}
      disabled={readOnly || accountId === null}
      placeholder={
        accountId === null
          ? '请先选择投放账户'
          : isAudienceCode(platform)
            ? '请选择定向包，也可以只用人群'
            : '请选择定向包'
      }
      loading={packages.isFetching}
      showSearch={{ onSearch: setTyped, filterOption: false }}
      notFoundContent={
        packages.error ? `定向包加载失败：${packages.error.message || '请求失败'}` : '该账户没有可用的定向包'
      }
      onOpenChange={(isOpen) => isOpen && accountId !== null && void packages.refetch()}
      value={value?.id ?? null}
      onChange={(chosen: number | undefined) => {
        const one = found.find((row) => row.id === chosen)
        onChange(one ? { id: one.id, name: one.name } : null)
      }}
      options={[...(isBeyond ? [value] : []), ...found].map((one) => ({ value: one.id, label: one.name }))}
    />
  )
  return (
    <>
      {field}
      {account && !readOnly && (
        <WayOn
          missing={isEmpty ? `账户「${account.name}」还没有可用的定向包，新建后就能在这里选择。` : null}
          ways={[
            {
              label: `新建${platformInfo(platform).name}定向包`,
              to: paths.newTargeting(platform, { adv_id: advId, account_id: account.id }),
              refusal,
            },
          ]}
          place="人群管理 / 人群资产"
          onRefresh={packages.refetch}
          isRefreshing={packages.isFetching}
        />
      )}
    </>
  )
}
