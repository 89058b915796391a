import { useQuery } from '@tanstack/react-query'
import { Descriptions, Drawer, Flex, Typography } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import { platformInfo } from '#contract/platform.ts'
import { labelOf } from '#contract/targeting/five-tab/labels.ts'
import { getTargeting } from '#contract/targeting-package.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { ForAdvertiser } from '../../components/ForAdvertiser.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { OnlyThere } from './OnlyThere.tsx'
import { PackageHistory } from './PackageHistory.tsx'
import { PackageStatusTag } from './PackageStatusTag.tsx'
import { TargetingWords } from './TargetingWords.tsx'
import styles from './targeting-package.module.css'

type Detail = DataOf<typeof getTargeting>

interface Props {
  id: number | null
  onClose: () => void
  /** Opens a version beside the package as it is now. */
  onCompare: (ver: number) => void
}

/** What a package targets, in words, and its earlier versions. */
export function PackageDrawer({ id, onClose, onCompare }: Props) {
  const detail = useQuery({
    ...queryOf(getTargeting, { query: { id: id ?? 0 } }),
    enabled: id !== null,
    meta: { inPlace: true },
  })
  return (
    <ForAdvertiser advId={detail.data?.adv_id}>
      <Drawer
        open={id !== null}
        size={860}
        title={detail.data && id !== null ? `定向包「${detail.data.name}」` : '定向包'}
        onClose={onClose}
        destroyOnHidden
      >
        <QueryState query={detail} errorTitle="定向包加载失败">
          {(found) => (
            <Flex vertical gap={24}>
              <Facts found={found} />
              <Part title="定向内容">
                <TargetingWords platform={found.platform} targeting={found.targeting} accountId={found.advertiser_id} />
              </Part>
              {(found.left_out.length + found.lost_there.length > 0 || found.words_there !== null) && (
                <Part title="平台上的条件">
                  <OnlyThere leftOut={found.left_out} words={found.words_there} lost={found.lost_there} />
                </Part>
              )}
              <Part title="修改记录">
                <PackageHistory found={found} onCompare={onCompare} />
              </Part>
            </Flex>
          )}
        </QueryState>
      </Drawer>
    </ForAdvertiser>
  )
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section aria-label={title}>
    <Typography.Title level={2} className={text.sectionTitle}>
      {title}
    </Typography.Title>
    {children}
  </section>
)

const Facts = ({ found }: { found: Detail }) => (
  <Descriptions
    size="small"
    column={2}
    className={styles.facts ?? ''}
    items={[
      { key: 'status', label: '状态', children: <div>{<PackageStatusTag row={found} />}</div> },
      {
        key: 'account',
        label: '平台账户',
        children: `${platformInfo(found.platform).name} · ${found.account_name}`,
      },
      {
        key: 'type',
        label: '定向包类型',
        children: found.landing_type === null ? '--' : labelOf('landing_type', found.landing_type),
      },
      ...(found.targeting_id === null
        ? []
        : [
            {
              key: 'there',
              label: '平台编号',
              children: (
                <span>
                  {found.targeting_id}
                  <CopyIcon text={found.targeting_id} what="平台编号" />
                </span>
              ),
            },
          ]),
      { key: 'created', label: '创建', children: `${found.creator} ${formatTime(found.created_at)}` },
      ...(found.plans_there
        ? [{ key: 'plans-there', label: '平台上使用它的计划', children: `${found.plans_there} 个` }]
        : []),
      ...(found.plans.length > 0
        ? [{ key: 'plans', label: '使用它的计划', children: found.plans.map((plan) => plan.name).join('、') }]
        : []),
    ]}
  />
)
