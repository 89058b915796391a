import { useQuery } from '@tanstack/react-query'
import { App, Flex, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { listCustomCrowds } from '#contract/custom-crowd.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { addSuppressedCrowd, listSuppression } from '#contract/suppression.ts'
import { listTasks } from '#contract/task.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SeeTasks } from '../../components/SeeTasks.tsx'
import text from '../../components/text.module.css'
import { awaitedTasks } from '../../lib/awaited-tasks.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { useAskedAddition } from './use-addition.ts'

interface Fields {
  crowd_id: number
  note?: string
}

const CROWDS_SHOWN = 50

/** All identifiers of an uploaded crowd: files come in there, may be hashed in the browser, and get their report. */
export function AddCrowdDialog({ advId, onClose }: { advId: number; onClose: () => void }) {
  const { message } = App.useApp()
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const crowds = useQuery({
    ...queryOf(listCustomCrowds, {
      query: { adv_id: advId, page: 1, page_size: CROWDS_SHOWN, status: ['available'], ...(name ? { name } : {}) },
    }),
    meta: { inPlace: true },
  })
  const ask = useAskedAddition()
  const add = useAction(addSuppressedCrowd, [listSuppression, listTasks], { meta: { quiet: true } })
  const save = async ({ crowd_id, note }: Fields) => {
    const done = await ask((confirm) =>
      add.mutateAsync({ body: { adv_id: advId, crowd_id, note: note?.trim() ?? '', ...(confirm ? { confirm } : {}) } }),
    )
    if (!done) return
    awaitedTasks.add(done.task_id, '已加入屏蔽名单')
    void message.success(<SeeTasks said={`已提交，${formatCount(done.identifiers)} 个标识`} task={done.task_id} />)
    onClose()
  }
  return (
    <FormDialog<Fields>
      title="从上传的人群加入屏蔽名单"
      width={560}
      isBusy={add.isPending}
      refusalUnder="crowd_id"
      onSave={save}
      onCancel={onClose}
    >
      <Form.Item
        name="crowd_id"
        label="上传的人群"
        rules={[{ required: true, message: '请选择人群' }]}
        extra={
          <>
            文件先在「自定义人群」上传，可在浏览器内加密，每一行的去向见其报告。
            <Link to={paths.customCrowdUpload(undefined, advId)}>去上传</Link>
          </>
        }
        {...(crowds.error
          ? { validateStatus: 'error' as const, help: `人群加载失败：${crowds.error.message || '请求失败'}` }
          : {})}
      >
        <Select
          placeholder="请选择人群"
          loading={crowds.isFetching}
          showSearch={{ filterOption: false, onSearch: setTyped }}
          // antd empties the field when it is left, and does not say so.
          onBlur={() => setTyped('')}
          notFoundContent={crowds.isFetching ? '加载中' : '没有可用的上传人群'}
          options={crowds.data?.list.map((crowd) => ({ value: crowd.id, label: crowd.name, crowd }))}
          optionRender={({ data: { crowd } }) => (
            <Flex justify="space-between" gap={8} wrap>
              <span>{crowd.name}</span>
              <span className={text.small}>
                {IDENTIFIERS[crowd.user_id_type].label} {formatCount(crowd.user_count)} 个
              </span>
            </Flex>
          )}
        />
      </Form.Item>
      <Form.Item name="note" label="备注">
        <Input maxLength={200} placeholder="例如：退订名单" />
      </Form.Item>
    </FormDialog>
  )
}
