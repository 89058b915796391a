import { PlusOutlined } from '@ant-design/icons'
import { Button, Card, Form, Select, Steps } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { AdvertiserDialog } from '../../features/advertiser/AdvertiserDialog.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { ImportDrawer } from '../../features/import/ImportDrawer.tsx'
import { ImportTable } from '../../features/import/ImportTable.tsx'
import { MappingStep } from '../../features/import/MappingStep.tsx'
import { UploadPanel } from '../../features/import/UploadPanel.tsx'
import { useUpload } from '../../features/import/use-upload.ts'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { useEdition } from '../../lib/edition.ts'
import styles from './data-access.module.css'

export default function DataAccessPage() {
  const { isSaas } = useEdition()
  const viewer = useViewer()
  const { advertisers, advId, choose } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<number | null>(null)
  const [isAdding, setAdding] = useState(false)
  const upload = useUpload()
  const { file } = upload

  const page = Number(params.get('page')) || 1
  const pageSize = Number(params.get('page_size')) || PAGE_SIZE
  const opened = Number(params.get('import_id')) || null
  const setParam = (values: Record<string, number | null>) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      for (const [name, value] of Object.entries(values)) {
        if (value === null) next.delete(name)
        else next.set(name, String(value))
      }
      return next
    })

  const advertiser = advertisers.find((one) => one.id === (chosen ?? advId)) ?? null

  const head = <PageHeader crumbs={[{ title: '基础管理' }]} title="数据接入" />
  // An administrator may create the first advertiser while importing.
  if (advertisers.length === 0 && !viewer.is_admin)
    return (
      <>
        {head}
        <Unauthorised module="数据导入" />
      </>
    )
  return (
    <>
      {head}
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
              advertiserField={
                <Form.Item label="广告主">
                  <Select
                    aria-label="广告主"
                    placeholder={advertisers.length ? '选择广告主' : '还没有广告主'}
                    className={styles.advertiser}
                    popupMatchSelectWidth={false}
                    value={advertiser?.id}
                    onChange={setChosen}
                    showSearch={{ optionFilterProp: 'label' }}
                    options={advertisers.map((one) => ({ value: one.id, label: one.name }))}
                  />
                  {viewer.is_admin && (
                    <Button type="link" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
                      新建广告主
                    </Button>
                  )}
                </Form.Item>
              }
              onStarted={(id) => {
                upload.finish()
                setParam({ import_id: id, page: null })
              }}
            />
          </div>
        )}
      </Card>
      <Card title="导入记录">
        <ImportTable
          page={page}
          pageSize={pageSize}
          showAdvertiser={isSaas}
          onPage={({ page, page_size }) =>
            setParam({ page: page === 1 ? null : page, page_size: page_size === PAGE_SIZE ? null : page_size })
          }
          onOpen={(id) => setParam({ import_id: id })}
        />
      </Card>
      <ImportDrawer id={opened} onTags={choose} onClose={() => setParam({ import_id: null })} />
      {isAdding && <AdvertiserDialog advertiser={null} onClose={() => setAdding(false)} onCreated={setChosen} />}
    </>
  )
}
