import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Drawer, Flex, Progress, Skeleton, Tabs, Typography } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { accountBareName } from '#contract/advertiser.ts'
import type { CustomChild } from '#contract/audience.ts'
import { type CustomCrowd, getCustomCrowd, listCrowdFiles } from '#contract/custom-crowd.ts'
import { childRefusals, crowdRefusals, editRefusal, isUnderWay } from '#contract/custom-crowd-rules.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ForAdvertiser } from '../../components/ForAdvertiser.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { ControlLine } from '../../domain/control-group/ControlLine.tsx'
import { AccountId } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { type PushPreset, withoutAccount } from '../../domain/platform/push-preset.ts'
import { useEdition } from '../../lib/edition.ts'
import { formatAsOf, formatCount, formatTime, NONE } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { ChildStatus } from '../audience/ChildStatus.tsx'
import { CrowdFiles } from './CrowdFiles.tsx'
import { CrowdLogs } from './CrowdLogs.tsx'
import { CrowdStatus } from './CustomStatusTag.tsx'
import styles from './custom-crowd.module.css'
import { type DrawerTab, isDrawerTab } from './drawer-tab.ts'
import { FunnelView } from './FunnelView.tsx'
import { QuotaBar } from './QuotaBar.tsx'
import { isSharedByPeople, tookNothing } from './rows.ts'
import { useRetries } from './use-retries.ts'

const POLL_MS = 2_000
/** Files of one upload that the funnel offers to download; the list of files has all. */
const FILES_SHOWN = 100

type Detail = z.infer<typeof getCustomCrowd.data>

/** One crowd, or one of its audiences: funnel, files, history and pushes. */
export function CrowdDrawer(props: {
  crowdId: number | null
  childId: number | null
  tab: DrawerTab
  onTab: (tab: DrawerTab) => void
  onClose: () => void
  onPush: OnPush
  /** The pushes of the crowd, or of one of its audiences. */
  pushes: (crowd: CustomCrowd, child: CustomChild | null) => ReactNode
}) {
  const { crowdId, childId, tab, onTab, onClose, onPush, pushes } = props
  const detail = useQuery({
    ...queryOf(getCustomCrowd, { query: { id: crowdId ?? 0 } }),
    meta: { inPlace: true },
    enabled: crowdId !== null,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.crowd) ? POLL_MS : false),
  })
  const crowd = detail.data?.crowd
  const child = crowd?.audiences.find((one) => one.id === childId) ?? null
  const refusals = crowd && (child ? childRefusals(crowd, child) : crowdRefusals(crowd))
  const pushRefusal = refusals?.push ?? null
  return (
    <ForAdvertiser advId={crowd?.adv_id}>
      <Drawer
        open={crowdId !== null}
        size={960}
        title={child ? `${child.adv_name}：${child.name}` : (crowd?.name ?? '人群详情')}
        extra={
          crowd && (
            <Flex gap={8}>
              {!editRefusal(crowd) && (
                <LinkButton changes={crowd.adv_id} to={paths.customCrowdEdit(crowd.id, crowd.adv_id)}>
                  编辑人群
                </LinkButton>
              )}
              <ChangeButton
                changes={crowd.adv_id}
                type="primary"
                refusal={sentenceOrNull(pushRefusal)}
                onClick={() => onPush(crowd, child)}
              >
                {child ? '重新推送' : '推送至'}
              </ChangeButton>
            </Flex>
          )
        }
        onClose={onClose}
        destroyOnHidden
        classNames={{ body: styles.drawer }}
      >
        {detail.data && crowd ? (
          childId !== null && child === null ? (
            <EmptyState title="子人群不存在或已被删除" action={<Button onClick={onClose}>返回列表</Button>} />
          ) : (
            <Tabs
              // Another crowd, which the search may open, starts with its own filters and pages.
              key={`${crowd.id} ${child?.id ?? ''}`}
              activeKey={tab}
              onChange={(key) => isDrawerTab(key) && onTab(key)}
              destroyOnHidden
              items={[
                {
                  key: 'detail',
                  label: '查看详情',
                  children: <DetailTab detail={detail.data} child={child} onPush={onPush} />,
                },
                { key: 'logs', label: '更新记录', children: <CrowdLogs crowd={crowd} child={child && keyOf(child)} /> },
                { key: 'pushes', label: '推送记录', children: pushes(crowd, child) },
              ]}
            />
          )
        ) : detail.error ? (
          <LoadError error={detail.error} onRetry={detail.refetch} title="自定义人群信息请求失败" />
        ) : (
          <Skeleton active paragraph={{ rows: 12 }} />
        )}
      </Drawer>
    </ForAdvertiser>
  )
}

const keyOf = ({ id, cnt_type }: CustomChild) => ({ id, cnt_type })

type OnPush = (crowd: CustomCrowd, preset: PushPreset | null) => void

function DetailTab({ detail, child, onPush }: { detail: Detail; child: CustomChild | null; onPush: OnPush }) {
  const { crowd, funnel } = detail
  const files = useQuery({
    ...queryOf(listCrowdFiles, { query: { id: crowd.id, page: 1, page_size: FILES_SHOWN } }),
    enabled: crowd.status !== 'computing',
    meta: { silent: 'optional' },
  })
  const uploaded = (files.data?.files ?? []).filter((file, _, all) => file.version === all[0]?.version)
  const unread = uploaded.filter((file) => file.status === 'failed')
  const accounts = child
    ? [child]
    : crowd.audiences.filter((one, i, all) => all.findIndex((other) => other.adv_id === one.adv_id) === i)
  return (
    <Flex vertical gap={24}>
      {crowd.status === 'computing' && (
        <div>
          <Progress percent={Math.floor((crowd.progress ?? 0) * 100)} status="active" aria-label="校验进度" />
          <div className={text.hint} aria-live="polite">
            {crowd.stage || '校验中'}。可以离开此页，进度也在右上角的任务中。
          </div>
        </div>
      )}
      {crowd.reason && (
        <Alert
          type={crowd.status === 'failed' ? 'error' : 'warning'}
          showIcon
          title={crowd.status === 'failed' ? '计算失败' : '最近一次更新失败，仍在使用此前的版本'}
          description={crowd.reason}
        />
      )}
      {tookNothing(crowd) && (
        <Alert
          type="error"
          showIcon
          title={`无有效数据：${formatCount(funnel.lines)} 行全部无效，人群中没有标识`}
          description={`上传的内容不符合「${IDENTIFIERS[crowd.user_id_type].label}」的格式。可在下方下载无效行查看原因，改正后通过「编辑人群」追加，或用正确的数据类型重新上传。`}
        />
      )}
      {crowd.reason === null && unread.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`最近上传的 ${uploaded.length} 个文件中有 ${unread.length} 个读取失败，其中的标识没有计入人群`}
          description="原因见下方的文件；改正后可通过「编辑人群」追加。"
        />
      )}
      <Facts crowd={crowd} child={child} onPush={onPush} />
      <section aria-label="漏斗">
        <Heading>漏斗</Heading>
        {funnel.counted_at === null && crowd.user_count === null ? (
          <EmptyState title="还没有结果" hint="文件校验完成后，这里显示从行数到覆盖的每一步。" />
        ) : (
          <FunnelView funnel={funnel} files={files.data?.files ?? []} childId={child?.id ?? null} />
        )}
      </section>
      <div>
        <Heading>文件</Heading>
        <CrowdFiles of={child ? keyOf(child) : { id: crowd.id }} />
      </div>
      {accounts.length > 0 && (
        <section aria-label="配额">
          <Heading>配额</Heading>
          <Flex vertical gap={8}>
            {accounts.map((one) => (
              <QuotaBar
                key={one.adv_id}
                account_id={one.adv_id}
                account_name={one.adv_name}
                external_id={one.external_id}
                cnt_type={one.cnt_type}
              />
            ))}
          </Flex>
        </section>
      )}
    </Flex>
  )
}

const Heading = ({ children }: { children: string }) => (
  <Typography.Title level={2} className={text.sectionTitle}>
    {children}
  </Typography.Title>
)

function Facts({ crowd, child, onPush }: { crowd: CustomCrowd; child: CustomChild | null; onPush: OnPush }) {
  const { isSaas } = useEdition()
  const { retryPush, cancelPush, retryCheck } = useRetries()
  const type = IDENTIFIERS[crowd.user_id_type]
  const facts = child
    ? [
        {
          label: '平台账户',
          children: (
            <span>
              <PlatformMark platform={child.cnt_type} withName /> {accountBareName(child.adv_name, child.external_id)}
              <br />
              <AccountId external_id={child.external_id} />
            </span>
          ),
        },
        {
          label: '状态',
          children: (
            <ChildStatus
              child={child}
              on={{
                retry: retryPush,
                cancel: cancelPush,
                push: () => onPush(crowd, child),
                pushElsewhere: () => onPush(crowd, withoutAccount(child)),
              }}
            />
          ),
        },
        { label: '平台上的名称', children: child.platform_name },
        { label: '平台人群包 ID', children: child.tag_id ?? '--' },
        { label: '所属人群', children: crowd.name },
        { label: '推送时间', children: formatTime(child.created_at) },
      ]
    : [
        { label: '状态', children: <CrowdStatus crowd={crowd} onRetry={retryCheck} /> },
        {
          label: '数据类型',
          children: (
            <Flex gap={6} wrap align="center">
              {type.label}
              {crowd.cnt_type.map((platform) => (
                <PlatformMark key={platform} platform={platform} />
              ))}
            </Flex>
          ),
        },
        {
          label: '人群大小',
          children: (
            <Flex gap={12} align="baseline">
              {crowd.user_count === null ? NONE : `${formatCount(crowd.user_count)} 个标识`}
              <span className={text.small}>{formatAsOf(crowd.counted_at)}</span>
            </Flex>
          ),
        },
        {
          label: '匹配到的已有用户',
          children: (
            <Flex gap={12} align="baseline" wrap>
              {crowd.matched === null ? NONE : `${formatCount(crowd.matched)} 人`}
              {isSharedByPeople(crowd) && <span className={text.small}>有的标识属于多个用户</span>}
            </Flex>
          ),
        },
        { label: '对照组', children: <ControlLine crowd={{ ...crowd, kind: 'custom' }} /> },
        ...(isSaas ? [{ label: '广告主', children: crowd.adv_name }] : []),
        {
          label: '创建',
          children: (
            <Flex gap={12} align="baseline">
              {crowd.creator}
              <span className={text.small}>{formatTime(crowd.created_at)}</span>
            </Flex>
          ),
        },
      ]
  return (
    <Descriptions
      size="small"
      column={2}
      className={styles.facts}
      items={facts.map((fact) => ({ key: fact.label, ...fact }))}
    />
  )
}
