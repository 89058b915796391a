import { App, Button, Card, Form, Input } from 'antd'
import { useState } from 'react'
import { addCustomCrowd, CrowdName, listCustomCrowds } from '#contract/custom-crowd.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { AdvertiserSelect } from '../../domain/advertiser/AdvertiserSelect.tsx'
import { isFault } from '../../lib/call.ts'
import { useAction } from '../../lib/query.ts'
import { DataTypeChooser } from './DataTypeChooser.tsx'
import { FolderField } from './FolderField.tsx'
import { HashSwitch } from './HashSwitch.tsx'
import { filesFault, filesOf } from './items.ts'
import { UploadFiles } from './UploadFiles.tsx'
import styles from './upload.module.css'
import { useAskMalformed } from './use-ask-malformed.tsx'
import { useUploadForm } from './use-upload-form.ts'

interface Props {
  advId: number
  dirId: number
  /** The advertisers to choose from; null if there is no choice. */
  advertisers: readonly { id: number; name: string }[] | null
  /** Called with the crowd's folder. */
  onDone(dirId: number): void
  onCancel(): void
}

/** A new crowd from files. */
export function CreateForm({ advId, dirId, advertisers, onDone, onCancel }: Props) {
  const upload = useUploadForm(0, {
    advId,
    form: { type: null, hashes: false, name: '', dirId, operation: null },
  })
  const { form, items, list, preparation } = upload
  const { faults, isTried, isSaving, submit, nameChanged } = useSubmit(upload, onDone)
  const help = (fault: string | null) => (isTried && fault ? { validateStatus: 'error' as const, help: fault } : {})

  return (
    <Card>
      <Form layout="vertical" component="div">
        {advertisers && (
          <Form.Item label="广告主" htmlFor="crowd-advertiser" required>
            <AdvertiserSelect<never>
              id="crowd-advertiser"
              label="广告主"
              className={styles.short}
              value={upload.advId}
              known={advertisers}
              onChange={(id: number) => upload.setAdvId(id)}
            />
          </Form.Item>
        )}
        <Form.Item label="数据类型" required {...help(faults.type)}>
          <DataTypeChooser value={form.type} isFaulty={isTried && faults.type !== null} onChoose={upload.chooseType} />
        </Form.Item>
        <Form.Item label="上传文件" required {...help(faults.files)}>
          <HashSwitch type={form.type} value={form.hashes} onChange={upload.setHashes} />
          <UploadFiles items={items} list={list} preparation={preparation} />
        </Form.Item>
        <Form.Item label="人群名称" htmlFor="crowd-name" required {...help(faults.name)}>
          <Input
            id="crowd-name"
            className={styles.short}
            value={form.name}
            placeholder="请输入人群名称"
            autoComplete="off"
            count={{ show: true, max: 30, strategy: (text) => [...text].length }}
            aria-invalid={isTried && faults.name !== null}
            onChange={(event) => {
              nameChanged()
              upload.fill({ name: event.target.value })
            }}
          />
        </Form.Item>
        <Form.Item label="存储路径" htmlFor="crowd-folder" required {...help(faults.dir)}>
          <FolderField value={form.dirId} onChange={(id) => upload.fill({ dirId: id })} />
        </Form.Item>
      </Form>
      <div className={styles.foot}>
        <Button onClick={onCancel}>取消</Button>
        <ChangeButton changes={upload.advId} type="primary" loading={isSaving} onClick={submit}>
          保存
        </ChangeButton>
      </div>
    </Card>
  )
}

/** What is missing in the form, and its submission. */
function useSubmit(upload: ReturnType<typeof useUploadForm>, onDone: (dirId: number) => void) {
  const { message } = App.useApp()
  const { form, items } = upload
  const [isTried, setTried] = useState(false)
  const [taken, setTaken] = useState<string | null>(null)
  const ask = useAskMalformed()
  const add = useAction(addCustomCrowd, [listCustomCrowds], { meta: { quiet: true } })

  const name = CrowdName.safeParse(form.name)
  const faults = {
    type: form.type === null ? '请选择数据类型' : null,
    files: sentenceOrNull(filesFault(items)),
    name: name.success ? taken : (name.error.issues[0]?.message ?? null),
    dir: form.dirId === null ? '请选择存储路径' : null,
  }
  const submit = () => {
    setTried(true)
    const fault = Object.values(faults).find((one) => one !== null)
    if (fault) return void message.error(fault)
    const { type, dirId } = form
    if (type === null || dirId === null) return
    const files = filesOf(items)
    ask(items, () =>
      add.mutate(
        { body: { user_id_type: type, files, name: form.name, dir_id: dirId, adv_id: upload.advId } },
        {
          onSuccess: () => {
            void message.success('提交成功')
            upload.finish(() => onDone(dirId))
          },
          onError: (error) => {
            if (isFault(error, 'nameTaken')) setTaken(error.message || '操作失败')
            void message.error(error.message || '请求失败')
          },
        },
      ),
    )
  }
  return { faults, isTried, isSaving: add.isPending, submit, nameChanged: () => setTaken(null) }
}
