import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Tooltip } from 'antd'
import { useState } from 'react'
import { listSessions, listTokens, TOKENS_MAX } from '#contract/viewer.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { SessionTable } from '../../features/viewer/SessionTable.tsx'
import { TokenDialog } from '../../features/viewer/TokenDialog.tsx'
import { TokenTable } from '../../features/viewer/TokenTable.tsx'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'

export default function TokensPage() {
  const tokens = useQuery({ ...queryOf(listTokens), meta: { inPlace: true } })
  const sessions = useQuery({ ...queryOf(listSessions), meta: { inPlace: true } })
  const [isCreating, setCreating] = useState(false)
  const isFull = (tokens.data?.list.length ?? 0) >= TOKENS_MAX
  return (
    <>
      <PageHeader
        crumbs={[{ title: '基础管理' }]}
        title="接口与令牌"
        action={
          <>
            <Button href={paths.apiDocs()} target="_blank" rel="noreferrer">
              接口文档
            </Button>
            <Tooltip title={isFull ? `最多 ${TOKENS_MAX} 个令牌，请先撤销不用的` : null}>
              <Button type="primary" icon={<PlusOutlined />} disabled={isFull} onClick={() => setCreating(true)}>
                新建令牌
              </Button>
            </Tooltip>
          </>
        }
      />
      <Flex vertical gap={16}>
        <Card title={<h2 className={text.cardTitle}>接口令牌</h2>}>
          <QueryState query={tokens} errorTitle="令牌加载失败">
            {({ list }) => <TokenTable tokens={list} />}
          </QueryState>
        </Card>
        <Card title={<h2 className={text.cardTitle}>登录会话</h2>}>
          <QueryState query={sessions} errorTitle="登录会话加载失败">
            {({ list }) => <SessionTable sessions={list} />}
          </QueryState>
        </Card>
      </Flex>
      <TokenDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}
