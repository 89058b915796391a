import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { Card, Dropdown } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { later } from '../../components/later.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import text from '../../components/text.module.css'
import { ActivityList } from '../../features/activity/ActivityList.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { NoAdvertiser } from '../../features/advertiser/NoAdvertiser.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { useReadOnly } from '../../lib/read-only.ts'

const AssetsDrawer = later(() => import('../../features/activity/AssetsDrawer.tsx').then((file) => file.AssetsDrawer))

/** The marketing activities with their plans and metrics. */
export default function CampaignListPage() {
  const { isSaas } = useEdition()
  const { advId, advertisers } = useAdvertiser()
  const { see_restricted } = useViewer()
  const navigate = useNavigate()
  const refusal = useReadOnly()('current')
  const [isReferring, setIsReferring] = useState(false)
  const blank = () => navigate(paths.workBench())
  const direct = (
    <ChangeButton changes="current" type="primary" icon={<PlusOutlined />} onClick={blank}>
      新建活动
    </ChangeButton>
  )
  const action = isSaas ? (
    <Dropdown
      disabled={refusal !== null}
      trigger={['click']}
      autoFocus
      menu={{
        items: [
          { key: 'blank', label: '空白新建', onClick: blank },
          { key: 'asset', label: '引用资产', onClick: () => setIsReferring(true) },
        ],
      }}
    >
      <span>
        <ChangeButton changes="current" type="primary" icon={<PlusOutlined />}>
          新建活动
          <DownOutlined />
        </ChangeButton>
      </span>
    </Dropdown>
  ) : (
    direct
  )
  return (
    <>
      <PageHeader
        crumbs={[{ title: '营销活动' }]}
        title="活动列表"
        extra={!isSaas && <span className={text.hint}>也可以从 RPS 的活动中进入</span>}
        action={advId !== undefined && action}
      />
      {advId === undefined ? (
        <NoAdvertiser what="活动" />
      ) : (
        <Card>
          <ActivityList
            advertisers={isSaas ? advertisers : null}
            advId={advId}
            seesCreators={see_restricted}
            newButton={action}
          />
        </Card>
      )}
      {isReferring && (
        <AssetsDrawer
          advId={advId}
          onClose={() => setIsReferring(false)}
          onUse={(id) => navigate(paths.workBench(id))}
        />
      )}
    </>
  )
}
