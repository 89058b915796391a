import { App, Flex, Table, type TableColumnsType, Tag, Typography } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import {
  deleteWebhook,
  listWebhooks,
  saveWebhook,
  tryWebhook,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  type Webhook,
} from '#contract/webhook.ts'
import { ChangeSwitch } from '../../components/ChangeSwitch.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatTime } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'

export type WebhookRow = z.infer<typeof Webhook>

/** The webhooks that receive failed and paused pushes and changes of crowds; each can be tested. */
export function WebhookTable(props: {
  webhooks: readonly WebhookRow[]
  addButton: ReactNode
  onEdit: (webhook: WebhookRow) => void
}) {
  const { webhooks, addButton, onEdit } = props
  const actions = useActions()
  return (
    <Table<WebhookRow>
      rowKey="id"
      size="middle"
      pagination={false}
      dataSource={[...webhooks]}
      scroll={{ x: 960 }}
      locale={{
        emptyText: (
          <EmptyState
            title="还没有通知"
            hint="推送失败或暂停、人群变化较大时，可以通知企业微信、飞书的群机器人，或任意接收 JSON 的地址。"
            action={addButton}
          />
        ),
      }}
      columns={columns(actions, onEdit)}
    />
  )
}

/** Switches, tests and deletes webhooks. */
function useActions() {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const switching = useAction(saveWebhook, [listWebhooks])
  const deleting = useAction(deleteWebhook, [listWebhooks], {
    onSuccess: () => void message.success('删除成功'),
  })
  const trying = useAction(tryWebhook, [listWebhooks], {
    onSuccess: ({ ok, answer }) => {
      if (ok) message.success('测试通知已送达')
      else showRefusal('测试通知没有送达', <Typography.Text className={text.anywhere}>{answer}</Typography.Text>)
    },
  })
  return {
    isSwitching: ({ id }: WebhookRow) => switching.isPending && switching.variables.body.id === id,
    turn: ({ id, adv_id, kind }: WebhookRow, is_on: boolean) => switching.mutate({ body: { id, adv_id, kind, is_on } }),
    isTrying: ({ id }: WebhookRow) => trying.isPending && Number(trying.variables.params.id) === id,
    tryOut: ({ id }: WebhookRow) => trying.mutate({ params: { id } }),
    remove: ({ id, kind }: WebhookRow) =>
      confirm({
        title: `删除${WEBHOOK_KINDS[kind]}通知？`,
        content: '删除后，推送失败或暂停、人群变化时不再通知这个地址。',
        okText: '删除',
        isDanger: true,
        onOk: () => deleting.mutateAsync({ params: { id } }).catch(() => {}),
      }),
  }
}

const columns = (
  actions: ReturnType<typeof useActions>,
  onEdit: (webhook: WebhookRow) => void,
): TableColumnsType<WebhookRow> => [
  {
    title: '类型',
    dataIndex: 'kind',
    width: 150,
    render: (kind: WebhookRow['kind']) => <Tag>{WEBHOOK_KINDS[kind]}</Tag>,
  },
  {
    title: '地址',
    dataIndex: 'url',
    render: (url: string) => <span className={text.anywhere}>{url}</span>,
  },
  {
    title: '通知内容',
    dataIndex: 'events',
    width: 130,
    render: (events: WebhookRow['events']) => events.map((event) => <div key={event}>{WEBHOOK_EVENTS[event]}</div>),
  },
  {
    title: '启用',
    dataIndex: 'is_on',
    width: 70,
    render: (is_on: boolean, row) => (
      <ChangeSwitch
        changes="current"
        size="small"
        aria-label={`启用${WEBHOOK_KINDS[row.kind]}`}
        checked={is_on}
        loading={actions.isSwitching(row)}
        onChange={(next) => actions.turn(row, next)}
      />
    ),
  },
  {
    title: '最近一次',
    key: 'last',
    // The answer may be long.
    width: '32%',
    render: (_, row) => (
      <>
        <div>{row.last_at === null ? '还没有发送过' : formatTime(row.last_at)}</div>
        {row.last_error ? (
          <WholeOnHover text={row.last_error}>
            <div className={`${text.problem} ${text.threeLines}`}>{row.last_error}</div>
          </WholeOnHover>
        ) : (
          row.last_at !== null && <div className={text.small}>已送达</div>
        )}
      </>
    ),
  },
  {
    title: '操作',
    key: 'action',
    width: 170,
    render: (_, row) => (
      <Flex gap={10}>
        <RowAction changes="current" loading={actions.isTrying(row)} onClick={() => actions.tryOut(row)}>
          发送测试
        </RowAction>
        <RowAction changes="current" onClick={() => onEdit(row)}>
          编辑
        </RowAction>
        <RowAction changes="current" danger onClick={() => actions.remove(row)}>
          删除
        </RowAction>
      </Flex>
    ),
  },
]
