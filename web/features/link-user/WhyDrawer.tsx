import { CheckCircleFilled, CloseCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Drawer, Flex, Tag } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { explainLinkUser } from '#contract/link-user-profile.ts'
import { CROWD_TAG, isLeaf, OPS, type RuleNode, type SubTag } from '#contract/rule.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { formatAsOf } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './link-user.module.css'
import type { Somebody } from './UserBehaviour.tsx'

type Why = DataOf<typeof explainLinkUser>
type HeldTag = Why['tags'][number]

/**
 * Why somebody is in a rule crowd or not: its rule, with what holds for them and what decided it. A crowd in the rule is
 * asked about in its turn, with a way back.
 */
export function WhyDrawer({ who, crowdId: first, onClose }: { who: Somebody; crowdId: number; onClose: () => void }) {
  const [asked, setAsked] = useState<readonly number[]>([])
  const crowdId = asked.at(-1) ?? first
  const why = useQuery({
    ...queryOf(explainLinkUser, { query: { ...who, crowd_id: crowdId } }),
    meta: { inPlace: true },
  })
  return (
    <Drawer
      open
      size={720}
      title={why.data ? `为什么${why.data.is_in ? '在' : '不在'}「${why.data.name}」里` : '为什么在或不在人群里'}
      onClose={onClose}
      extra={<LinkButton to={paths.ruleCrowdWatch(crowdId)}>查看规则</LinkButton>}
    >
      <QueryState query={why} errorTitle="原因加载失败">
        {(found) => (
          <Flex vertical gap={16}>
            {asked.length > 0 && (
              <div>
                <RowAction onClick={() => setAsked(asked.slice(0, -1))}>返回上一个人群</RowAction>
              </div>
            )}
            <Verdict why={found} />
            <ul className={styles.why} aria-label="规则">
              <WhyNode node={found.rule} why={found} onAsk={(id) => setAsked([...asked, id])} />
            </ul>
          </Flex>
        )}
      </QueryState>
    </Drawer>
  )
}

function Verdict({ why: { is_in, is_met, computed_at } }: { why: Why }) {
  if (computed_at === null) return <Alert type="info" showIcon title="人群还没有计算过，下面是按现在的标签得到的结果" />
  const words = `人群${formatAsOf(computed_at)}，这个人${is_in ? '在' : '不在'}里面`
  if (is_in === is_met) return <Alert type={is_in ? 'success' : 'info'} showIcon title={words} />
  return (
    <Alert
      type="warning"
      showIcon
      title={words}
      description={`按现在的规则与标签，这个人${is_met ? '应在' : '不应在'}里面：标签或规则在人群计算之后有变化，人群重新计算后一致。`}
    />
  )
}

const LEAF_WORDS = { n: '同时满足', u: '满足任意一个', e: '满足第一个，且不满足其余' } as const
const BRANCH_WORDS = { n: '两部分都成立', u: '任意一部分成立', e: '第一部分成立，且第二部分不成立' } as const

function WhyNode({ node, why, onAsk }: { node: RuleNode; why: Why; onAsk: (crowdId: number) => void }) {
  const holds = why.nodes[node.id] ?? false
  const op = node.op ?? 'u'
  return (
    <li>
      <Flex gap={8} align="center">
        <Mark holds={holds} />
        <Tag>{OPS[op]}</Tag>
        <span>{isLeaf(node) ? LEAF_WORDS[op] : BRANCH_WORDS[op]}</span>
      </Flex>
      <ul>
        {isLeaf(node)
          ? node.subTags.map((tag) => (
              <WhyTag key={`${tag.tag_type} ${tag.id}`} tag={foundIn(why, tag)} onAsk={onAsk} />
            ))
          : node.exps.map((child) => <WhyNode key={child.id} node={child} why={why} onAsk={onAsk} />)}
        {isLeaf(node) && node.subTags.length === 0 && <li className={text.hint}>没有条件，谁也不满足</li>}
      </ul>
    </li>
  )
}

const foundIn = (why: Why, { id, tag_type }: SubTag) =>
  why.tags.find((one) => one.id === id && one.tag_type === tag_type)

function WhyTag({ tag, onAsk }: { tag: HeldTag | undefined; onAsk: (crowdId: number) => void }) {
  if (!tag) return null
  return (
    <li>
      <Flex gap={8} align="baseline">
        <Mark holds={tag.is_held} />
        <div className={text.shrinks}>
          <div className={text.anywhere}>
            {tag.tag_type === CROWD_TAG ? `人群「${tag.name}」` : tag.name}
            {tag.meaning !== '' && tag.meaning !== tag.name && <span className={text.hint}> {tag.meaning}</span>}
          </div>
          <div className={`${text.small} ${text.anywhere}`}>
            {tag.evidence !== null && `${tag.evidence}；`}
            {tag.crowd_kind === 'custom' && '上传的人群，按标识匹配；'}
            {formatAsOf(tag.counted_at)}{' '}
            {tag.crowd_kind === 'rule' && (
              <RowAction onClick={() => onAsk(tag.id)}>为什么{tag.is_held ? '在' : '不在'}里面</RowAction>
            )}
          </div>
        </div>
      </Flex>
    </li>
  )
}

const Mark = ({ holds }: { holds: boolean }) =>
  holds ? (
    <CheckCircleFilled className={styles.holds ?? ''} role="img" aria-label="成立" />
  ) : (
    <CloseCircleOutlined className={styles.fails ?? ''} role="img" aria-label="不成立" />
  )
