import { App, Form, Input } from 'antd'
import {
  AdvertiserName,
  createAdvertiser,
  listAdvertiserData,
  listAdvertisers,
  renameAdvertiser,
} from '#contract/advertiser.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

const STALE = [listAdvertiserData, listAdvertisers]

interface Props {
  /** The advertiser to rename; null creates one. */
  advertiser: { id: number; name: string } | null
  onClose: () => void
  onCreated?: (id: number) => void
}

export function AdvertiserDialog({ advertiser, onClose, onCreated }: Props) {
  const { message } = App.useApp()
  const done = (text: string) => () => {
    message.success(text)
    onClose()
  }
  const quiet = { quiet: true }
  const create = useAction(createAdvertiser, STALE, {
    meta: quiet,
    onSuccess: ({ id }) => {
      done('新建广告主成功')()
      onCreated?.(id)
    },
  })
  const rename = useAction(renameAdvertiser, STALE, { meta: quiet, onSuccess: done('修改成功') })

  return (
    <FormDialog<{ name: string }>
      title={advertiser ? '重命名广告主' : '新建广告主'}
      width={420}
      isBusy={create.isPending || rename.isPending}
      initialValues={{ name: advertiser?.name ?? '' }}
      onSave={({ name }) =>
        advertiser
          ? rename.mutateAsync({ params: { id: advertiser.id }, body: { name } })
          : create.mutateAsync({ body: { name } })
      }
      onCancel={onClose}
      refusalUnder="name"
    >
      <Form.Item name="name" label="广告主名称" rules={[zodRule(AdvertiserName)]}>
        <Input maxLength={60} showCount autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}
