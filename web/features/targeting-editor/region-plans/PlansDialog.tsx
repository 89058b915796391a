import { App, Flex, Modal, Table } from 'antd'
import { useState } from 'react'
import { deleteRegionPlan, type RegionPlan, renameRegionPlan } from '#contract/region-plan.ts'
import { getTags } from '#contract/targeting-tags.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { QueryState } from '../../../components/QueryState.tsx'
import { RowAction } from '../../../components/RowAction.tsx'
import { useConfirm } from '../../../components/use-confirm.ts'
import { useFocusBack } from '../../../components/use-focus-back.ts'
import { formatTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import type { usePlans } from '../use-dictionary.ts'
import { PlanNameField } from './SavePlanDialog.tsx'

/** Renames and deletes the advertiser's plans. */
export function PlansDialog({ plans, onClose }: { plans: ReturnType<typeof usePlans>; onClose: () => void }) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [renamed, setRenamed] = useState<RegionPlan | null>(null)
  useFocusBack()
  const removing = useAction(deleteRegionPlan, [getTags], { onSuccess: () => void message.success('删除成功') })
  const remove = ({ id, name }: RegionPlan) =>
    confirm({
      title: `删除地域包「${name}」？`,
      content: '已选它的定向包不受影响，仍保留其中的地域。',
      okText: '删除',
      isDanger: true,
      onOk: () => removing.mutateAsync({ body: { id } }),
    })
  return (
    <Modal open width={640} title="管理地域包" footer={null} onCancel={onClose}>
      <QueryState query={plans} errorTitle="地域包加载失败">
        {({ REGION_PLAN: list = [] }) => (
          <Table<RegionPlan>
            rowKey="id"
            size="small"
            dataSource={list}
            pagination={list.length > 10 ? { pageSize: 10 } : false}
            locale={{ emptyText: <EmptyState title="还没有地域包" hint="选好地域后，用「存为地域包」保存。" /> }}
            columns={[
              { title: '名称', dataIndex: 'name', ellipsis: true },
              {
                title: '地域数',
                key: 'regions',
                width: 80,
                align: 'right',
                render: (_, { regions }) => regions.length,
              },
              { title: '创建人', dataIndex: 'creator', width: 110, ellipsis: true },
              {
                title: '创建时间',
                key: 'created_at',
                width: 160,
                render: (_, { created_at }) => formatTime(created_at),
              },
              {
                title: '操作',
                key: 'actions',
                width: 110,
                render: (_, plan) => (
                  <Flex gap={6}>
                    <RowAction onClick={() => setRenamed(plan)}>重命名</RowAction>
                    <RowAction danger onClick={() => remove(plan)}>
                      删除
                    </RowAction>
                  </Flex>
                ),
              },
            ]}
          />
        )}
      </QueryState>
      {renamed && <RenameDialog plan={renamed} onClose={() => setRenamed(null)} />}
    </Modal>
  )
}

function RenameDialog({ plan, onClose }: { plan: RegionPlan; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useAction(renameRegionPlan, [getTags], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="重命名地域包"
      isBusy={rename.isPending}
      initialValues={{ name: plan.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        await rename.mutateAsync({ body: { id: plan.id, name } })
        message.success('修改成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <PlanNameField />
    </FormDialog>
  )
}
