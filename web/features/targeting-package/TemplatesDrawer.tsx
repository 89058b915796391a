import { useQuery } from '@tanstack/react-query'
import { App, Drawer, Flex, Form, Input, Table, Typography } from 'antd'
import { useState } from 'react'
import { ItemName } from '#contract/common.ts'
import { platformInfo } from '#contract/platform.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { deleteTemplate, listTemplates, renameTemplate, type Template } from '#contract/targeting-template.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { Tags } from '../../components/Tags.tsx'
import text from '../../components/text.module.css'
import { useConfirm } from '../../components/use-confirm.ts'
import type { Start } from '../../domain/targeting/ticket.ts'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

const Summary = ({ summary }: { summary: readonly string[] }) =>
  summary.length === 0 ? <span className={text.secondary}>不限</span> : <Tags words={summary} />

interface Props {
  isOpen: boolean
  platform: PackageCode
  advId: number | undefined
  onClose: () => void
  /** Makes a package that begins with one; `type`: its package type, where it has one. */
  onUse: (start: Start, type: string | null) => void
}

/** The advertiser's templates for a platform, and the ready ones. */
export function TemplatesDrawer({ isOpen, platform, advId, onClose, onUse }: Props) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [renamed, setRenamed] = useState<Template | null>(null)
  const templates = useQuery({
    ...queryOf(listTemplates, { query: { platform, ...(advId !== undefined && { adv_id: advId }) } }),
    enabled: isOpen,
    meta: { inPlace: true },
  })
  const removing = useAction(deleteTemplate, [listTemplates], { onSuccess: () => void message.success('删除成功') })
  const remove = (one: Template) =>
    confirm({
      title: `删除模板「${one.name}」？`,
      content: '用它新建的定向包不受影响。',
      okText: '删除',
      isDanger: true,
      onOk: () => removing.mutateAsync({ body: { id: one.id } }),
    })
  return (
    <Drawer
      open={isOpen}
      size={860}
      title={`${platformInfo(platform).name}定向包模板`}
      onClose={onClose}
      destroyOnHidden
    >
      <QueryState query={templates} errorTitle="模板加载失败">
        {({ list, ready }) => (
          <Flex vertical gap={24}>
            <section aria-label="我的模板">
              <Typography.Title level={2} className={text.sectionTitle}>
                我的模板
              </Typography.Title>
              <Table<Template>
                rowKey="id"
                size="small"
                dataSource={list}
                pagination={list.length > 10 ? { pageSize: 10 } : false}
                locale={{
                  emptyText: (
                    <EmptyState
                      title="还没有模板"
                      hint="在定向包的「更多操作」中选择存为模板，新建时就可以从它开始。"
                    />
                  ),
                }}
                columns={[
                  { title: '名称', dataIndex: 'name', width: 160, ellipsis: true },
                  { title: '内容', key: 'summary', render: (_, { summary }) => <Summary summary={summary} /> },
                  {
                    title: '创建',
                    key: 'creator',
                    width: 150,
                    render: (_, { creator, created_at }) => (
                      <>
                        <div className={text.cut}>{creator}</div>
                        <span className={text.small}>{formatTime(created_at)}</span>
                      </>
                    ),
                  },
                  {
                    title: '操作',
                    key: 'actions',
                    width: 150,
                    render: (_, one) => (
                      <Flex gap={6}>
                        <RowAction
                          changes={one.adv_id}
                          onClick={() => onUse({ kind: 'template', id: one.id }, one.landing_type)}
                        >
                          新建
                        </RowAction>
                        <RowAction changes={one.adv_id} onClick={() => setRenamed(one)}>
                          重命名
                        </RowAction>
                        <RowAction changes={one.adv_id} danger onClick={() => remove(one)}>
                          删除
                        </RowAction>
                      </Flex>
                    ),
                  },
                ]}
              />
            </section>
            <section aria-label="现成模板">
              <Typography.Title level={2} className={text.sectionTitle}>
                现成模板
              </Typography.Title>
              <Table
                rowKey="key"
                size="small"
                dataSource={ready}
                pagination={false}
                columns={[
                  { title: '名称', dataIndex: 'name', width: 160 },
                  { title: '内容', key: 'summary', render: (_, { summary }) => <Summary summary={summary} /> },
                  {
                    title: '操作',
                    key: 'actions',
                    width: 150,
                    render: (_, { key }) => (
                      <RowAction changes={advId} onClick={() => onUse({ kind: 'ready', key }, null)}>
                        新建
                      </RowAction>
                    ),
                  },
                ]}
              />
            </section>
          </Flex>
        )}
      </QueryState>
      {renamed && <RenameTemplateDialog template={renamed} onClose={() => setRenamed(null)} />}
    </Drawer>
  )
}

function RenameTemplateDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useAction(renameTemplate, [listTemplates], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="重命名模板"
      isBusy={rename.isPending}
      initialValues={{ name: template.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        await rename.mutateAsync({ body: { id: template.id, name } })
        message.success('修改成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item name="name" label="模板名称" rules={[zodRule(ItemName)]} validateTrigger="onSubmit">
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}
