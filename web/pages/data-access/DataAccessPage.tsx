import { PlusOutlined } from '@ant-design/icons'
import { Button, Card, Form, Select, Steps } from 'antd'
import { useEffect, useState } from 'react'
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
import { saved } from '../../lib/saved-context.ts'

/** A file that was sent but not yet imported is still there after a reload. */
function keptUpload() {
  const kept = saved.importUpload.get()
  if (!kept) return null
  const { name, size, upload_id } = kept
  return typeof name === 'string' && typeof size === 'number' && typeof upload_id === 'string'
    ? { name, size, upload_id }
    : null
}

export default function DataAccessPage() {
  const { isSaas } = useEdition()
  const viewer = useViewer()
  const { advertisers, advId, choose } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<number | null>(null)
  const [isAdding, setAdding] = useState(false)
  const [started] = useState(keptUpload)
  const upload = useUpload(started)
  const { state } = upload

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

  useEffect(() => {
    if (state.phase === 'sent' && state.upload_id)
      saved.importUpload.set({ name: state.name, size: state.size, upload_id: state.upload_id })
    else saved.importUpload.clear()
  }, [state.phase, state.upload_id, state.name, state.size])

  const advertiser = advertisers.find((one) => one.id === (chosen ?? advId)) ?? null

  const head = <PageHeader crumbs={[{ title: '基础管理' }]} title="数据接入" />
  // An administrator may make the first advertiser while importing.
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
      <Card title="导入文件" style={{ marginBottom: 16 }}>
        <Steps
          size="small"
          current={state.phase === 'sent' ? 1 : 0}
          items={[{ title: '上传文件' }, { title: '对应各列' }, { title: '查看报告' }]}
          style={{ maxWidth: 720, marginBottom: 20 }}
        />
        <UploadPanel
          state={state}
          canResume={upload.canResume}
          onFile={upload.begin}
          onPause={upload.pause}
          onResume={upload.resume}
          onClear={upload.clear}
        />
        {state.phase === 'sent' && state.upload_id && (
          <div style={{ marginTop: 20 }}>
            <MappingStep
              key={state.upload_id}
              uploadId={state.upload_id}
              fileName={state.name}
              advertiser={advertiser}
              advertiserField={
                <Form.Item label="广告主">
                  <Select
                    aria-label="广告主"
                    placeholder={advertisers.length ? '选择广告主' : '还没有广告主'}
                    style={{ width: 220 }}
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
                upload.clear()
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
