import { ClockCircleOutlined } from '@ant-design/icons'
import { Card, Result, Space } from 'antd'
import { matchPath, useLocation } from 'react-router'
import { LinkButton } from '../../components/LinkButton.tsx'
import { type Crumb, PageHeader } from '../../components/PageHeader.tsx'
import { paths } from '../../lib/paths.ts'

interface Coming {
  pattern: string
  title: string
  crumbs: Crumb[]
  /** What the page will show. */
  says: string
}

const ACTIVITIES: Crumb = { title: '营销活动' }

const COMING: Coming[] = [
  {
    pattern: '/campaign-manage/work-bench',
    title: '活动工作台',
    crumbs: [ACTIVITIES, { title: '活动列表', to: paths.activities() }],
    says: '一个活动的计划、定向包、人群、预算与排期。',
  },
  {
    pattern: '/campaign-manage/day-report',
    title: '分日数据',
    crumbs: [ACTIVITIES, { title: '活动列表', to: paths.activities() }],
    says: '一个活动每天的指标图表与明细。',
  },
  {
    pattern: '/campaign-manage/*',
    title: '活动列表',
    crumbs: [ACTIVITIES],
    says: '查看活动与计划的投放数据，开关、复制与对比活动。',
  },
]

/** The page of a capability that is not built yet: it says what it will show. */
export default function ComingSoonPage() {
  const { pathname } = useLocation()
  const coming = COMING.find((one) => matchPath(one.pattern, pathname))
  if (!coming) return null
  return (
    <>
      <PageHeader crumbs={coming.crumbs} title={coming.title} />
      <Card>
        <Result
          icon={<ClockCircleOutlined />}
          title="即将提供"
          subTitle={`此页将用于：${coming.says}`}
          extra={
            <Space>
              <LinkButton primary to={paths.assets()}>
                去人群资产
              </LinkButton>
              <LinkButton to={paths.dataAccess()}>去数据接入</LinkButton>
            </Space>
          }
        />
      </Card>
    </>
  )
}
