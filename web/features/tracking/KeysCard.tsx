import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { App, Card, Flex, Table, type TableColumnsType, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import {
  listLately,
  listWriteKeys,
  revokeWriteKey,
  WRITE_KEY_KINDS,
  WRITE_KEYS_MAX,
  type WriteKey as WriteKeySchema,
} from '#contract/tracking.ts'
import { AgoOrNever } from '../../components/AgoOrNever.tsx'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useConfirm } from '../../components/use-confirm.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { SnippetsDrawer } from './SnippetsDrawer.tsx'
import styles from './tracking.module.css'

export type WriteKey = z.infer<typeof WriteKeySchema>

/** The write keys of an advertiser, and the code to paste for each. */
export function KeysCard({ advId }: { advId: number }) {
  const keys = useQuery({ ...queryOf(listWriteKeys, { query: { adv_id: advId } }), meta: { inPlace: true } })
  const [isMaking, setMaking] = useState(false)
  const [opened, setOpened] = useState<{ id: number; name: string; kind: WriteKey['kind'] } | null>(null)
  const columns = useColumns(setOpened)
  const list = keys.data?.list ?? []
  const add = (
    <ChangeButton
      type="primary"
      icon={<PlusOutlined />}
      changes={advId}
      refusal={list.length >= WRITE_KEYS_MAX ? `最多 ${WRITE_KEYS_MAX} 个写入密钥，请先撤销不用的` : null}
      onClick={() => setMaking(true)}
    >
      新建写入密钥
    </ChangeButton>
  )
  return (
    <Card title="写入密钥" extra={list.length > 0 && add} className={styles.card ?? ''}>
      <QueryState query={keys} errorTitle="写入密钥加载失败">
        {() => (
          <Table<WriteKey>
            rowKey="id"
            size="middle"
            scroll={{ x: 800 }}
            dataSource={list}
            pagination={WHOLE_LIST}
            locale={{
              emptyText: (
                <EmptyState
                  title="还没有写入密钥"
                  hint="网页、App 或服务端带上写入密钥，就能把事件实时发送到这里。"
                  action={add}
                />
              ),
            }}
            columns={columns}
          />
        )}
      </QueryState>
      {isMaking && <NewKeyDialog advId={advId} onMade={setOpened} onClose={() => setMaking(false)} />}
      {opened && <SnippetsDrawer {...opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}

function useColumns(open: (key: WriteKey) => void): TableColumnsType<WriteKey> {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const revoking = useAction(revokeWriteKey, [listWriteKeys, listLately], {
    onSuccess: () => void message.success('已撤销'),
  })
  const revoke = ({ id, name }: WriteKey) =>
    confirm({
      title: `撤销写入密钥「${name}」？`,
      content: '撤销后，使用它的网页与程序立即无法发送事件，且不能恢复。已收到的数据不受影响。',
      okText: '撤销',
      isDanger: true,
      onOk: () => revoking.mutateAsync({ params: { id } }).catch(() => {}),
    })
  return [
    {
      title: '名称',
      dataIndex: 'name',
      ellipsis: { showTitle: false },
      render: (name: string) => <WholeOnHover text={name} />,
    },
    {
      title: '用在哪里',
      dataIndex: 'kind',
      width: 110,
      render: (kind: WriteKey['kind']) => <Tag>{WRITE_KEY_KINDS[kind]}</Tag>,
    },
    {
      title: '密钥',
      dataIndex: 'tail',
      width: 110,
      render: (tail: string) => <span className={styles.mono}>…{tail}</span>,
    },
    {
      title: '创建',
      key: 'created',
      width: 180,
      render: (_, { creator, created_at }) => (
        <>
          <WholeOnHover text={creator}>
            <div className={text.cut}>{creator}</div>
          </WholeOnHover>
          <span className={text.small}>{formatTime(created_at)}</span>
        </>
      ),
    },
    {
      title: (
        <Tooltip title="几分钟更新一次">
          <span>最近使用</span>
        </Tooltip>
      ),
      dataIndex: 'last_used',
      width: 120,
      render: (at: number | null) => <AgoOrNever at={at} />,
    },
    {
      title: '操作',
      key: 'actions',
      width: 150,
      fixed: 'right',
      render: (_, row) => (
        <Flex gap={10}>
          <RowAction changes={row.adv_id} onClick={() => open(row)}>
            接入代码
          </RowAction>
          <RowAction changes={row.adv_id} danger onClick={() => revoke(row)}>
            撤销
          </RowAction>
        </Flex>
      ),
    },
  ]
}
