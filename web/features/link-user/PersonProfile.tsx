import { useQuery } from '@tanstack/react-query'
import { Descriptions, Flex, Tabs, Tag } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { DataOf } from '#contract/endpoint.ts'
import { getLinkUserProfile } from '#contract/link-user-profile.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { later } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { CrowdSelect } from '../../domain/crowd/CrowdSelect.tsx'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { idsIn } from '../../lib/ids-in.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { withParams } from '../../lib/with-params.ts'
import styles from './link-user.module.css'
import type { Somebody } from './UserBehaviour.tsx'

const WhyDrawer = later(() => import('./WhyDrawer.tsx').then((file) => file.WhyDrawer))

type Profile = DataOf<typeof getLinkUserProfile>

/** What is known of a person beside their events: attributes, identifiers, tags, and the crowds they are in. */
export function PersonProfile({ who }: { who: Somebody }) {
  const { asked, setAsked } = useAskedCrowd()
  const profile = useQuery({ ...queryOf(getLinkUserProfile, { query: who }), meta: { inPlace: true } })
  return (
    <>
      <QueryState query={profile} errorTitle="个人档案加载失败">
        {(found) => (
          <Tabs
            size="small"
            tabBarGutter={16}
            items={[
              { key: 'attributes', label: `属性 ${found.attributes.length}`, children: <Attributes of={found} /> },
              { key: 'tags', label: `标签 ${formatCount(found.tags.length)}`, children: <Tags of={found} /> },
              {
                key: 'crowds',
                label: `所在人群 ${formatCount(found.crowds.length)}`,
                children: <Crowds of={found} advId={who.adv_id} onAsk={setAsked} />,
              },
              { key: 'identifiers', label: `标识 ${found.identifiers.length}`, children: <Identifiers of={found} /> },
            ]}
          />
        )}
      </QueryState>
      {asked !== undefined && <WhyDrawer who={who} crowdId={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

/** The crowd that is asked about, in the address, so that a colleague can be shown the reason. */
function useAskedCrowd() {
  const [params, setParams] = useSearchParams()
  const [asked] = idsIn(params.get('why'))
  const setAsked = (crowd_id: number | null) =>
    setParams((now) => withParams(now, { why: crowd_id === null ? null : String(crowd_id) }))
  return { asked, setAsked }
}

function Attributes({ of: { attributes } }: { of: Profile }) {
  if (attributes.length === 0) return <EmptyState title="没有属性" hint="导入的用户表里，这个人没有填写属性。" />
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, md: 2, xl: 1 }}
      items={attributes.map(({ name, text: value }, at) => ({
        key: at,
        label: name,
        children: <span className={text.anywhere}>{value}</span>,
      }))}
    />
  )
}

function Identifiers({ of: { identifiers } }: { of: Profile }) {
  if (identifiers.length === 0) return <EmptyState title="没有标识" hint="没有导入过这个人的手机号或设备号。" />
  return (
    <>
      <p className={text.hint}>标识遮住中间的字符；散列值全部遮住。</p>
      <Descriptions
        size="small"
        column={1}
        items={identifiers.map(({ id_type, label, total, shown }) => ({
          key: id_type,
          label,
          children: (
            <span className={text.anywhere}>
              {shown.join('、')}
              {total > shown.length && ` 等 ${formatCount(total)} 个`}
            </span>
          ),
        }))}
      />
    </>
  )
}

/** Tags by their categories, in their order. */
function Tags({ of: { tags } }: { of: Profile }) {
  if (tags.length === 0) return <EmptyState title="没有标签" hint="这个人不在任何一个标签里。" />
  const groups = Map.groupBy(tags, ({ category, tag_type }) => `${tag_type} ${category}`)
  return (
    <Descriptions
      size="small"
      column={1}
      items={[...groups].map(([key, held]) => ({
        key,
        label: held[0]?.category ?? '',
        children: (
          <Flex wrap gap={4}>
            {held.map(({ id, name, counted_at }) => (
              <Tag key={id} title={formatAsOf(counted_at)} className={styles.tag ?? ''}>
                {name}
              </Tag>
            ))}
          </Flex>
        ),
      }))}
    />
  )
}

function Crowds({ of: { crowds }, advId, onAsk }: { of: Profile; advId: number; onAsk: (crowd_id: number) => void }) {
  return (
    <Flex vertical gap={12}>
      <AskCrowd advId={advId} onAsk={onAsk} />
      {crowds.length === 0 ? (
        <EmptyState title="不在任何人群里" hint="在上面选择一个组合定向包，查看为什么不在里面。" />
      ) : (
        <ul className={styles.crowds} aria-label="所在人群">
          {crowds.map(({ id, kind, name, counted_at }) => (
            <li key={id}>
              {kind === 'rule' ? (
                <Link to={paths.ruleCrowdWatch(id)}>{name}</Link>
              ) : (
                <Link to={paths.customCrowd(undefined, name)}>{name}</Link>
              )}
              <span className={text.small}>
                {kind === 'rule' ? '组合定向包' : '自定义人群，按上传的标识匹配'}，{formatAsOf(counted_at)}
              </span>
              {kind === 'rule' && <RowAction onClick={() => onAsk(id)}>为什么在里面</RowAction>}
            </li>
          ))}
        </ul>
      )}
    </Flex>
  )
}

/** Any rule crowd of the advertiser, to ask why the person is in it or not. */
function AskCrowd({ advId, onAsk }: { advId: number; onAsk: (crowd_id: number) => void }) {
  return (
    <CrowdSelect
      className={styles.ask}
      advId={advId}
      label="为什么在或不在人群里"
      placeholder="为什么在或不在：选择组合定向包"
      isOfRulesOnly
      chosen={[]}
      max={1}
      onChange={([crowd]) => crowd && onAsk(crowd.id)}
    />
  )
}
