import { Flex, type TableProps } from 'antd'
import type { CustomChild } from '#contract/audience.ts'
import { childDeleteRefusal, childSize, repushRefusal } from '#contract/custom-crowd-rules.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { ChangeSwitch } from '../../components/ChangeSwitch.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { type PushPreset, withoutAccount } from '../../domain/platform/push-preset.ts'
import { ChildStatus } from './ChildStatus.tsx'

export interface ChildActions {
  isSwitching: (id: number) => boolean
  keepStep: (child: CustomChild, keeps_step: boolean) => void
  remove: (child: CustomChild) => void
  /** Opens the push dialog. */
  push: (preset: PushPreset) => void
  /** Has a push tried again at once. */
  retry: (push_id: number) => void
  cancel: (child: CustomChild) => unknown
}

/** The columns of a rule crowd's audiences. */
export const ruleChildColumns = (actions: ChildActions): NonNullable<TableProps<CustomChild>['columns']> => [
  { title: '平台账户', key: 'account', width: 240, render: (_, child) => <Account child={child} /> },
  { title: '状态', key: 'status', render: (_, child) => <State child={child} actions={actions} /> },
  {
    title: '覆盖人数',
    key: 'user_count',
    width: 100,
    align: 'right',
    render: (_, child) => <LargeNumber value={childSize(child)} />,
  },
  {
    title: '自动更新',
    key: 'keeps_step',
    width: 90,
    render: (_, child) => (
      <ChangeSwitch
        changes="current"
        size="small"
        aria-label={`「${child.adv_name}」随人群更新自动推送`}
        checked={child.keeps_step}
        loading={actions.isSwitching(child.id)}
        onChange={(keeps_step) => actions.keepStep(child, keeps_step)}
      />
    ),
  },
  {
    title: '操作',
    key: 'action',
    width: 120,
    fixed: 'right',
    render: (_, child) => <Actions child={child} actions={actions} />,
  },
]

const Account = ({ child }: { child: CustomChild }) => (
  <Flex gap={6} align="center">
    <PlatformMark platform={child.cnt_type} />
    <div className={text.shrinks}>
      <AccountName
        name={child.adv_name}
        external_id={child.external_id}
        remark={child.account_remark}
        hover={`${child.adv_name}：${child.platform_name}`}
      />
      <AccountId external_id={child.external_id} isUnderName />
      <div className={text.small}>{child.tag_id === null ? '尚无人群包 ID' : `人群包 ID ${child.tag_id}`}</div>
    </div>
  </Flex>
)

const State = ({ child, actions }: { child: CustomChild; actions: ChildActions }) => (
  <ChildStatus
    child={child}
    on={{
      retry: actions.retry,
      cancel: actions.cancel,
      push: actions.push,
      pushElsewhere: (one) => actions.push(withoutAccount(one)),
    }}
  />
)

const Actions = ({ child, actions }: { child: CustomChild; actions: ChildActions }) => (
  <Flex gap={8}>
    <RowAction changes="current" refusal={sentenceOrNull(repushRefusal(child))} onClick={() => actions.push(child)}>
      重新推送
    </RowAction>
    <RowAction
      changes="current"
      danger
      refusal={sentenceOrNull(childDeleteRefusal(child))}
      onClick={() => actions.remove(child)}
    >
      删除
    </RowAction>
  </Flex>
)
