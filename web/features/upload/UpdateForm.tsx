import { App, Button, Card, Form, Radio } from 'antd'
import { useState } from 'react'
import {
  type CustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  listCrowdLogs,
  listCustomCrowds,
  OPERATION_TYPES,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { useAction } from '../../lib/query.ts'
import { TypeFacts } from './DataTypeChooser.tsx'
import { HashSwitch } from './HashSwitch.tsx'
import { hashesByDefault } from './hash-rules.ts'
import { filesFault, filesOf } from './items.ts'
import { UploadFiles } from './UploadFiles.tsx'
import styles from './upload.module.css'
import { useAskMalformed } from './use-ask-malformed.tsx'
import { useUploadForm } from './use-upload-form.ts'

const STALE = [listCustomCrowds, getCustomCrowd, listCrowdFiles, listCrowdLogs]

/** Adds the values of files to a crowd, or removes them. */
export function UpdateForm(props: { crowd: CustomCrowd; onDone(): void; onCancel(): void }) {
  const { crowd, onDone, onCancel } = props
  const { message } = App.useApp()
  const type = crowd.user_id_type
  const upload = useUploadForm(crowd.id, {
    advId: crowd.adv_id,
    form: { type, hashes: hashesByDefault(type), name: '', dirId: null, operation: null },
  })
  const { form, items, list, preparation } = upload
  const [isTried, setTried] = useState(false)
  const ask = useAskMalformed()
  const update = useAction(updateCustomCrowd, STALE, { meta: { quiet: true } })

  const faults = {
    operation: form.operation === null ? sentenceOf(outcome('crowd_update_type_missing')) : null,
    files: sentenceOrNull(filesFault(items)),
  }
  const help = (fault: string | null) => (isTried && fault ? { validateStatus: 'error' as const, help: fault } : {})

  const submit = () => {
    setTried(true)
    const fault = faults.operation ?? faults.files
    if (fault) return void message.error(fault)
    if (form.operation === null) return
    const operation_type = form.operation
    ask(items, () =>
      update.mutate(
        { body: { id: crowd.id, operation_type, files: filesOf(items) } },
        {
          onSuccess: () => {
            void message.success('提交成功')
            upload.finish(onDone)
          },
          onError: (error) => void message.error(error.message || '编辑人群失败'),
        },
      ),
    )
  }

  return (
    <Card>
      <Form layout="vertical" component="div">
        <Form.Item label="更新类型" required {...help(faults.operation)}>
          <Radio.Group
            aria-label="更新类型"
            value={form.operation}
            options={Object.entries(OPERATION_TYPES).map(([value, label]) => ({ value: Number(value), label }))}
            onChange={(event) => upload.fill({ operation: event.target.value === 2 ? 2 : 1 })}
          />
        </Form.Item>
        <Form.Item label="数据类型">
          <div className={styles.fixedType}>
            <TypeFacts type={type} />
          </div>
        </Form.Item>
        <Form.Item label="上传文件" required {...help(faults.files)}>
          <HashSwitch type={type} value={form.hashes} onChange={upload.setHashes} />
          <UploadFiles items={items} list={list} preparation={preparation} />
        </Form.Item>
      </Form>
      <div className={styles.foot}>
        <Button onClick={onCancel}>取消</Button>
        <ChangeButton changes={crowd.adv_id} type="primary" loading={update.isPending} onClick={submit}>
          确定
        </ChangeButton>
      </div>
    </Card>
  )
}
