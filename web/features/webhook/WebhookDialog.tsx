import { App, Checkbox, Form, Input, Select, Switch } from 'antd'
import { keysOf } from '#contract/common.ts'
import {
  listWebhooks,
  saveWebhook,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  type WebhookEvent,
  WebhookUrl,
} from '#contract/webhook.ts'
import { atLeastOne } from '../../components/at-least-one.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import type { WebhookRow } from './WebhookTable.tsx'

interface Fields {
  kind: WebhookRow['kind']
  url?: string
  is_on: boolean
  events: WebhookEvent[]
}

const KINDS = Object.entries(WEBHOOK_KINDS).map(([value, label]) => ({ value, label }))
const EVENTS = Object.entries(WEBHOOK_EVENTS).map(([value, label]) => ({ value, label }))
const ALL_EVENTS: WebhookEvent[] = keysOf(WEBHOOK_EVENTS)
const addressRule = zodRule(WebhookUrl)
const HOW: Record<WebhookRow['kind'], string> = {
  wecom: '在企业微信群中添加群机器人，复制它的 Webhook 地址。',
  feishu: '在飞书群中添加自定义机器人，复制它的 Webhook 地址。',
  json: '以 POST 发送 JSON；返回 2xx 视为送达。',
}

/** Adds or changes a webhook. Its URL is a secret: it is shown masked, and an empty field keeps it. */
export function WebhookDialog(props: { webhook: WebhookRow | null; advId: number; onClose: () => void }) {
  const { webhook, advId, onClose } = props
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const kind = Form.useWatch('kind', form) ?? webhook?.kind ?? 'wecom'
  const save = useAction(saveWebhook, [listWebhooks], { meta: { quiet: true } })
  return (
    <FormDialog<Fields>
      title={webhook ? '编辑通知' : '新建通知'}
      width={560}
      form={form}
      isBusy={save.isPending}
      initialValues={{
        kind: webhook?.kind ?? 'wecom',
        is_on: webhook?.is_on ?? true,
        events: webhook?.events ?? ALL_EVENTS,
      }}
      refusalUnder="url"
      onSave={async ({ kind, url, is_on, events }) => {
        const given = url?.trim()
        await save.mutateAsync({
          body: {
            adv_id: advId,
            kind,
            is_on,
            events,
            ...(webhook ? { id: webhook.id } : {}),
            ...(given ? { url: given } : {}),
          },
        })
        message.success(webhook ? '修改成功' : '提交成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item name="kind" label="类型">
        <Select options={KINDS} />
      </Form.Item>
      <Form.Item
        name="url"
        label="地址"
        extra={HOW[kind]}
        rules={[
          { required: webhook === null, whitespace: true, message: '请输入完整的地址' },
          {
            validator: async (_rule, url?: string) =>
              void (url?.trim() && (await addressRule.validator(null, url.trim()))),
          },
        ]}
        validateTrigger="onSubmit"
      >
        <Input
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          placeholder={webhook ? `不填则仍为 ${webhook.url}` : 'https://'}
        />
      </Form.Item>
      <Form.Item
        name="events"
        label="通知内容"
        extra="人群变化：在人群的「更新与通知」里设置了百分比的人群。报表异常：每天自动同步的活动中，没有同步、平台修正过或消耗异常波动的日期。"
        rules={[atLeastOne('请选择通知内容')]}
      >
        <Checkbox.Group options={EVENTS} />
      </Form.Item>
      <Form.Item name="is_on" label="启用" valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDialog>
  )
}
