import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { listActivities } from '#contract/activity-list.ts'
import type { UnlinkedPlan } from '#contract/report.ts'
import text from '../../../components/text.module.css'
import { useFocusBack } from '../../../components/use-focus-back.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { paths } from '../../../lib/paths.ts'
import { queryOf } from '../../../lib/query.ts'
import { openedFor } from '../workbench/plan-link.ts'
import { planLinkOf } from './unlinked-words.ts'

/** Chooses the activity that shows a plan from now on; the plan itself is added in the workbench. */
export function LinkDialog(props: { advId: number; plan: UnlinkedPlan; onClose: () => void }) {
  const { advId, plan, onClose } = props
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  useFocusBack()
  const activities = useQuery({
    ...queryOf(listActivities, {
      query: { adv_id: advId, page: 1, per_page: 20, ...(name !== '' && { name }) } as never,
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const open = (id?: number) => navigate(paths.workBench(id), { state: openedFor(planLinkOf(plan)) })
  return (
    <Modal
      open
      title={`关联平台计划 ${plan.plan}`}
      onCancel={onClose}
      footer={
        <Flex gap={8} justify="flex-end">
          <Button onClick={() => open()}>新建活动</Button>
          <Button type="primary" disabled={chosen === null} onClick={() => chosen !== null && open(chosen)}>
            在这个活动里添加
          </Button>
        </Flex>
      }
    >
      <Form layout="vertical" component="div">
        <Form.Item label="活动" htmlFor="link-activity">
          <Select<number>
            id="link-activity"
            value={chosen}
            onChange={setChosen}
            placeholder="选择活动，可按名称搜索"
            loading={activities.isFetching}
            showSearch={{ filterOption: false, onSearch: setTyped }}
            notFoundContent={
              activities.isPending ? '加载中' : activities.error ? activities.error.message : '没有这样的活动'
            }
            options={(activities.data?.list ?? []).map(({ id, name: label }) => ({ value: id, label }))}
          />
        </Form.Item>
      </Form>
      <span className={text.hint}>
        会打开活动编辑页，并添加一个关联了它的计划；补全并保存后，报表中的数据（含以前的）显示在这个活动里。要关联到活动里已有的计划，在那个计划的「平台计划
        ID」里选择它。
      </span>
    </Modal>
  )
}
