import { PlusOutlined } from '@ant-design/icons'
import { App, Button, Card, Flex, Form, Steps, Tabs } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PageHeader } from '../../components/PageHeader.tsx'
import { AdvertiserSelect } from '../../domain/advertiser/AdvertiserSelect.tsx'
import { useAdvertiserOf } from '../../domain/advertiser/use-advertiser-options.ts'
import { ReportsCard } from '../../features/activity/report-sync/ReportsCard.tsx'
import { UnlinkedCard } from '../../features/activity/report-sync/UnlinkedCard.tsx'
import { AdvertiserDialog } from '../../features/advertiser/AdvertiserDialog.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { FieldsCard } from '../../features/field/FieldsCard.tsx'
import { ImportDrawer } from '../../features/import/ImportDrawer.tsx'
import { ImportTable } from '../../features/import/ImportTable.tsx'
import { MappingStep } from '../../features/import/MappingStep.tsx'
import { UploadPanel } from '../../features/import/UploadPanel.tsx'
import { useUpload } from '../../features/import/use-upload.ts'
import { KeysCard } from '../../features/tracking/KeysCard.tsx'
import { LatelyCard } from '../../features/tracking/LatelyCard.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { useEdition } from '../../lib/edition.ts'
import { idIn } from '../../lib/id-in.ts'
import { type Paged, readPage, writePage } from '../../lib/url-page.ts'
import { withParams } from '../../lib/with-params.ts'
import styles from './data-access.module.css'

/** The tabs, as the URL names them. */
const FILES = 'files'
const TRACKING = 'tracking'
const REPORTS = 'reports'

export default function DataAccessPage() {
  const { isSaas } = useEdition()
  const viewer = useViewer()
  const { advertisers, advId, choose } = useAdvertiser()
  const { message } = App.useApp()
  const [params, setParams] = useSearchParams()
  // The form starts from the advertiser of the top bar, also after that changed.
  const [chosen, setChosen] = useState<{ id: number; instead: number | undefined } | null>(null)
  const [isAdding, setAdding] = useState(false)
  const upload = useUpload()
  const { file } = upload

  const { page, page_size } = readPage(params)
  const opened = idIn(params.get('import_id'))
  const turn = (paged: Paged) => setParams((now) => writePage(now, paged))
  const open = (id: number | null) => setParams((now) => withParams(now, { import_id: id }))

  const { advertiser } = useAdvertiserOf(advertisers, chosen && chosen.instead === advId ? chosen.id : advId)

  const chooseFor = (id: number) => setChosen({ id, instead: advId })

  /** The fields and tags that the import makes are those of its advertiser. */
  function showAdvertiser() {
    if (!advertiser || advertiser.id === advId) return
    choose(advertiser.id, advertiser.name)
    if (isSaas) message.info(`已切换到广告主「${advertiser.name}」`)
  }

  const head = <PageHeader crumbs={[{ title: '基础管理' }]} title="数据接入" />
  // An administrator may create the first advertiser while importing.
  if (advertisers.length === 0 && !viewer.is_admin)
    return (
      <>
        {head}
        <Unauthorised module="数据导入" />
      </>
    )
  const tab = [TRACKING, REPORTS].find((one) => one === params.get('tab')) ?? FILES
  const tabs = (
    <Tabs
      activeKey={tab}
      items={[
        { key: FILES, label: '文件导入' },
        { key: TRACKING, label: '实时上报' },
        { key: REPORTS, label: '平台报表' },
      ]}
      onChange={(next) => setParams(next === FILES ? {} : { tab: next })}
    />
  )
  if (tab === REPORTS && advId !== undefined)
    return (
      <>
        {head}
        {tabs}
        <Flex vertical gap={16}>
          <ReportsCard advId={advId} />
          <UnlinkedCard key={advId} advId={advId} seesCosts={viewer.see_restricted} />
        </Flex>
      </>
    )
  if (tab === TRACKING && advId !== undefined)
    return (
      <>
        {head}
        {tabs}
        <KeysCard advId={advId} />
        <LatelyCard advId={advId} />
        <FieldsCard advId={advId} />
      </>
    )
  return (
    <>
      {head}
      {advId !== undefined && tabs}
      <Card title="导入文件" className={styles.import}>
        <Steps
          size="small"
          current={file?.phase === 'done' ? 1 : 0}
          items={[{ title: '上传文件' }, { title: '对应各列' }, { title: '查看报告' }]}
          className={styles.steps}
        />
        <UploadPanel upload={upload} />
        {file?.phase === 'done' && file.uri && (
          <div className={styles.mapping}>
            <MappingStep
              key={file.uri}
              uploadId={file.uri}
              fileName={file.name}
              advertiser={advertiser}
              onOtherFile={upload.clear}
              advertiserField={
                isSaas && (
                  <Form.Item label="广告主">
                    <AdvertiserSelect<never>
                      label="广告主"
                      placeholder={advertisers.length ? '选择广告主' : '还没有广告主'}
                      className={styles.advertiser}
                      value={advertiser?.id}
                      onChange={chooseFor}
                      known={advertisers}
                    />
                    {viewer.is_admin && (
                      <Button type="link" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
                        新建广告主
                      </Button>
                    )}
                  </Form.Item>
                )
              }
              onStarted={(id) => {
                upload.finish()
                showAdvertiser()
                setParams((now) => withParams(writePage(now, { page: 1, page_size }), { import_id: id }))
              }}
            />
          </div>
        )}
      </Card>
      <ImportTable page={page} pageSize={page_size} advId={advId} onPage={turn} onOpen={open}>
        {advId !== undefined && <FieldsCard advId={advId} />}
      </ImportTable>
      <ImportDrawer id={opened} onTags={choose} onClose={() => open(null)} />
      {isAdding && <AdvertiserDialog advertiser={null} onClose={() => setAdding(false)} onCreated={chooseFor} />}
    </>
  )
}
