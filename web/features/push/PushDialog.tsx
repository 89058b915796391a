import { Form, Modal, Select, Switch } from 'antd'
import type { CntType } from '#contract/audience.ts'
import { platformInfo } from '#contract/platform.ts'
import { QueryState } from '../../components/QueryState.tsx'
import space from '../../components/space.module.css'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { AccountField } from './AccountField.tsx'
import { PushCheckView } from './PushCheckView.tsx'
import { type Pushed, type PushFields, typesFor } from './push-choice.ts'
import { usePushChoice, usePushing } from './use-push-choice.ts'

/** Chooses the platform account that a crowd is pushed to, and previews the push. */
export function PushDialog(props: {
  pushed: Pushed
  preset?: PushPreset | null
  onDone: () => void
  onCancel: () => void
}) {
  const { pushed, preset = null, onDone, onCancel } = props
  useFocusBack()
  const { form, initial, platform, accounts, check, chooseOtherAccount, changed } = usePushChoice(pushed, preset)
  const push = usePushing(pushed, onDone)
  return (
    <Modal
      open
      width={640}
      title={`推送「${pushed.name}」`}
      onCancel={onCancel}
      onOk={form.submit}
      okText="推送"
      okButtonProps={{ disabled: check?.data?.ok === false }}
      confirmLoading={push.isPending}
    >
      <Form<PushFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={push.start}
        onValuesChange={changed}
        className={space.dialogForm}
      >
        <PlatformField platforms={pushed.platforms} />
        <AccountField accounts={accounts} isDisabled={platform === undefined} />
        {pushed.kind === 'rule' && <RuleFields platform={platform} />}
      </Form>
      {check && (
        <QueryState query={check} errorTitle="推送检查失败">
          {(found) => (
            <PushCheckView
              check={found}
              name={pushed.name}
              isStale={check.isFetching}
              onOtherAccount={chooseOtherAccount}
            />
          )}
        </QueryState>
      )}
    </Modal>
  )
}

const PlatformField = ({ platforms }: { platforms: readonly CntType[] }) => (
  <Form.Item name="platform" label="平台" rules={[{ required: true, message: '请选择平台' }]}>
    <Select
      placeholder="请选择平台"
      options={platforms.map((code) => ({ value: code, label: platformInfo(code).name }))}
      optionRender={({ value }) => <PlatformMark platform={value as CntType} withName />}
    />
  </Form.Item>
)

/** What only a rule crowd's push asks for: the identifiers to send, and whether later changes follow. */
const RuleFields = ({ platform }: { platform: CntType | undefined }) => (
  <>
    <Form.Item
      name="types"
      label="标识类型"
      extra="按所选类型发送人群成员的标识；一个人有多种标识时各发送一个。"
      rules={[{ required: true, message: '请选择标识类型' }]}
    >
      <Select
        mode="multiple"
        placeholder="请选择标识类型"
        showSearch={{ optionFilterProp: 'label' }}
        options={typesFor(platform)}
      />
    </Form.Item>
    <Form.Item
      name="keeps_step"
      label="自动更新"
      valuePropName="checked"
      extra="人群每次重新计算后，按平台的发布规则推送变化的部分。"
    >
      <Switch checkedChildren="开" unCheckedChildren="关" />
    </Form.Item>
  </>
)
