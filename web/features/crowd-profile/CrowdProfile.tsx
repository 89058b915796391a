import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Segmented, Select, Skeleton, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { getCrowdProfile } from '#contract/crowd-profile.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import space from '../../components/space.module.css'
import text from '../../components/text.module.css'
import { CrowdSelect } from '../../domain/crowd/CrowdSelect.tsx'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-profile.module.css'
import { ProfileTable } from './ProfileTable.tsx'
import { chartLabel, largestGroup } from './profile-words.ts'
import { useUrlCrowds } from './use-url-crowds.ts'

const CHART = afterPage(() => import('./ShareChart.tsx'))

export type Profile = DataOf<typeof getCrowdProfile>

/** What the people of a crowd have more or less often than everyone, or than another crowd. */
export function CrowdProfile({ id, advId }: { id: number; advId: number }) {
  const against = useUrlCrowds({ key: 'against', max: 1, without: id })
  const [categories, setCategories] = useState<number[]>([])
  const profile = useQuery({
    ...queryOf(getCrowdProfile, {
      params: { id },
      query: {
        ...(against.ids[0] !== undefined && { against: against.ids[0] }),
        ...(categories.length > 0 && { category_ids: categories.join(',') }),
      },
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  return (
    <>
      <Flex gap={12} wrap className={space.filters}>
        <CrowdSelect
          advId={advId}
          label="对照"
          placeholder="与全部用户对照，可换成一个人群"
          className={styles.against}
          chosen={against.named(profile.data ? [profile.data.base] : [])}
          max={1}
          without={[id]}
          onChange={against.choose}
        />
        <Select<number[]>
          mode="multiple"
          allowClear
          maxTagCount={2}
          className={styles.categories ?? ''}
          aria-label="标签分类"
          placeholder="全部标签分类"
          value={categories}
          optionFilterProp="label"
          options={(profile.data?.categories ?? []).map(({ id, name, tags }) => ({
            value: id,
            label: `${name}（${formatCount(tags)}）`,
          }))}
          onChange={setCategories}
        />
      </Flex>
      <QueryState query={profile} errorTitle="人群画像加载失败">
        {(found) => (
          <Spin spinning={profile.isPlaceholderData}>
            <Compared profile={found} />
            {found.groups.every(({ values }) => values.length === 0) ? (
              <EmptyState title="没有可以看的标签" hint="这个广告主的标签还没有结果，或所选的分类里没有标签。" />
            ) : (
              <>
                <Shares profile={found} />
                <ProfileTable profile={found} />
              </>
            )}
          </Spin>
        )}
      </QueryState>
    </>
  )
}

function Compared({ profile: { crowd, base, both } }: { profile: Profile }) {
  return (
    <p className={text.hint}>
      人群 {formatCount(crowd.count)} 人（{formatAsOf(crowd.counted_at)}），对照「{base.name}」{formatCount(base.count)}{' '}
      人（
      {formatAsOf(base.counted_at)}），其中 {formatCount(both)} 人在人群里。TGI 为人群中的占比除以对照中的占比再乘 100。
    </p>
  )
}

/** The shares of one category's tags, as bars. */
function Shares({ profile }: { profile: Profile }) {
  const chart = useAfterPage(CHART)
  const groups = profile.groups.filter(({ values }) => values.length > 0)
  const [asked, setAsked] = useState<number | null>(null)
  const shown = groups.find(({ id }) => id === asked) ?? largestGroup(groups)
  const shownId = shown?.id
  const bar = useRef<HTMLDivElement>(null)
  // There may be more categories than the line shows.
  useEffect(() => {
    if (shownId === undefined) return
    const item = bar.current?.querySelector('.ant-segmented-item-selected')
    item?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [shownId])
  if (!shown) return null
  return (
    <section aria-label="占比" className={styles.shares}>
      <div className={styles.groups} ref={bar}>
        <Segmented
          aria-label="看哪个分类的占比"
          value={shown.id}
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setAsked}
        />
      </div>
      {chart ? (
        <chart.ShareChart group={shown} names={[profile.crowd.name, profile.base.name]} label={chartLabel(shown)} />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 5, width: '100%' }} />
      )}
    </section>
  )
}
