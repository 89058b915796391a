import { useQuery } from '@tanstack/react-query'
import { Alert, Drawer, Flex, Select, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import { platformInfo } from '#contract/platform.ts'
import { packageLines } from '#contract/targeting/lines.ts'
import { PACKAGE_CODES, type PackageCode } from '#contract/targeting/package-codes.ts'
import { getTargeting, listTargetingHistory, listTargetings } from '#contract/targeting-package.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { CompareTable } from '../../domain/targeting/CompareTable.tsx'
import { onlyThereLines } from '../../domain/targeting/only-there-lines.ts'
import { useRegionNames } from '../../domain/targeting/use-region-names.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'
import type { Compared } from './compared.ts'
import styles from './targeting-package.module.css'

/** One side: a package as it is now, or one of its kept versions. */
function useSide({ id, ver }: Compared) {
  const detail = useQuery({ ...queryOf(getTargeting, { query: { id } }), meta: { inPlace: true } })
  const version = useQuery({
    ...queryOf(listTargetingHistory, { query: { id, ver: ver ?? 1 } }),
    enabled: ver !== null,
    meta: { inPlace: true },
  })
  const old = ver === null ? null : version.data?.list[0]
  const targeting = ver === null ? detail.data?.targeting : old?.targeting
  const names = useRegionNames(detail.data?.advertiser_id, targeting)
  const found = detail.data
  return {
    error: detail.error ?? (ver === null ? null : version.error),
    isGone: ver !== null && version.isSuccess && old === undefined,
    refetch: () => Promise.all([detail.refetch(), ...(ver === null ? [] : [version.refetch()])]),
    found,
    side: found &&
      targeting && {
        title: `${old?.name ?? found.name}（${platformInfo(found.platform).name}${ver === null ? '' : `，版本 ${ver}`}）`,
        lines: [
          ...packageLines(found.platform, targeting, names),
          ...(ver === null ? onlyThereLines(found.left_out) : []),
        ],
      },
  }
}

interface Props {
  pair: readonly [Compared, Compared]
  onChange: (pair: readonly [Compared, Compared]) => void
  onClose: () => void
}

/** Two packages, or two versions of one, side by side; either may be exchanged for another package of any platform. */
export function CompareDrawer({ pair, onChange, onClose }: Props) {
  useFocusBack()
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const [left, right] = [useSide(pair[0]), useSide(pair[1])]
  const failed = left.error ? left : right
  /** A side whose platform was exchanged and whose package is not chosen yet. */
  const [unchosen, setUnchosen] = useState<0 | 1 | null>(null)
  const choose = (next: readonly [Compared, Compared]) => {
    setUnchosen(null)
    onChange(next)
  }
  return (
    <Drawer open size={1040} title="对比定向包" onClose={onClose}>
      <Flex vertical gap={16}>
        <div className={styles.compared}>
          <PackagePick
            label="左边的定向包"
            side={left}
            value={pair[0]}
            onPlatform={(isAnother) => setUnchosen(isAnother ? 0 : null)}
            onChange={(one) => choose([one, pair[1]])}
          />
          <PackagePick
            label="右边的定向包"
            side={right}
            value={pair[1]}
            onPlatform={(isAnother) => setUnchosen(isAnother ? 1 : null)}
            onChange={(one) => choose([pair[0], one])}
          />
        </div>
        <Flex gap={8} align="center" component="label">
          <Switch size="small" checked={onlyDifferent} onChange={setOnlyDifferent} aria-label="只看不同" />
          只看不同
        </Flex>
        {failed.error ? (
          <LoadError
            error={failed.error}
            title={`${failed === left ? '左边' : '右边'}的定向包加载失败`}
            onRetry={() => void failed.refetch()}
          />
        ) : unchosen !== null ? (
          <EmptyState title={`请选择${unchosen === 0 ? '左边' : '右边'}的定向包`} />
        ) : left.isGone || right.isGone ? (
          <Alert type="warning" showIcon title="这个版本已不再保留" />
        ) : left.side && right.side ? (
          <CompareTable left={left.side} right={right.side} onlyDifferent={onlyDifferent} />
        ) : (
          <Skeleton active paragraph={{ rows: 8 }} />
        )}
      </Flex>
    </Drawer>
  )
}

interface PickProps {
  label: string
  side: ReturnType<typeof useSide>
  value: Compared
  /** Another platform is chosen than that of the package. */
  onPlatform: (isAnother: boolean) => void
  onChange: (one: Compared) => void
}

/** Chooses a package by platform and name. */
function PackagePick({ label, side, value, onPlatform, onChange }: PickProps) {
  const [chosen, setPlatform] = useState<PackageCode | null>(null)
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  // Unknown until the package is loaded.
  const platform = chosen ?? side.found?.platform
  const found = useQuery({
    ...queryOf(listTargetings, {
      body: { platform: platform ?? PACKAGE_CODES[0], page_size: 50, ...(name && { name }) },
    }),
    enabled: platform !== undefined,
    meta: { silent: 'optional' },
  })
  const rows = found.data?.list ?? []
  const isShown = platform !== undefined && platform === side.found?.platform
  const own = side.found && isShown ? [{ value: value.id, label: side.found.name }] : []
  const options = rows.map((row) => ({ value: row.id, label: row.name }))
  return (
    <Flex gap={8}>
      <Select<PackageCode>
        aria-label={`${label}的平台`}
        className={styles.comparedPlatform ?? ''}
        value={platform ?? null}
        placeholder="平台"
        onChange={(platform) => {
          setPlatform(platform)
          onPlatform(platform !== side.found?.platform)
        }}
        options={PACKAGE_CODES.map((code) => ({ value: code, label: platformInfo(code).name }))}
      />
      <Select
        aria-label={label}
        className={styles.comparedName ?? ''}
        showSearch={{ filterOption: false, onSearch: setTyped }}
        placeholder="选择定向包"
        loading={found.isFetching}
        value={isShown ? value.id : null}
        onChange={(id) => onChange({ id, ver: null })}
        options={[...own.filter(({ value: id }) => !options.some((one) => one.value === id)), ...options]}
      />
    </Flex>
  )
}
