import { App, Form, Input, Modal } from 'antd'
import { useEffect } from 'react'
import {
  AdvertiserName,
  createAdvertiser,
  listAdvertiserData,
  listAdvertisers,
  renameAdvertiser,
} from '#contract/advertiser.ts'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

const STALE = [listAdvertiserData, listAdvertisers]

interface Props {
  /** The one to rename; null to make a new one; undefined while closed. */
  advertiser: { id: number; name: string } | null | undefined
  onClose: () => void
  onCreated?: (id: number) => void
}

export function AdvertiserDialog({ advertiser, onClose, onCreated }: Props) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ name: string }>()
  const done = (text: string) => () => {
    message.success(text)
    onClose()
  }
  const create = useAction(createAdvertiser, STALE, {
    onSuccess: ({ id }) => {
      done('新建广告主成功')()
      onCreated?.(id)
    },
  })
  const rename = useAction(renameAdvertiser, STALE, { onSuccess: done('修改成功') })
  useEffect(() => {
    if (advertiser !== undefined) form.setFieldsValue({ name: advertiser?.name ?? '' })
  }, [advertiser, form])

  return (
    <Modal
      title={advertiser ? '重命名广告主' : '新建广告主'}
      open={advertiser !== undefined}
      width={420}
      onCancel={onClose}
      onOk={form.submit}
      confirmLoading={create.isPending || rename.isPending}
      forceRender
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        style={{ paddingTop: 8 }}
        onFinish={({ name }) =>
          advertiser
            ? rename.mutate({ params: { id: advertiser.id }, body: { name } })
            : create.mutate({ body: { name } })
        }
      >
        <Form.Item name="name" label="广告主名称" rules={[zodRule(AdvertiserName)]}>
          <Input maxLength={60} showCount autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
