import { Alert, Form, Modal, Select, Switch } from 'antd'
import type { CntType } from '#contract/audience.ts'
import { platformInfo } from '#contract/platform.ts'
import type { StartedPush } from '#contract/push.ts'
import { footerOf } from '../../components/dialog-footer.tsx'
import space from '../../components/space.module.css'
import { FormInput, useAskClose } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { ControlLine } from '../../domain/control-group/ControlLine.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { embedding } from '../../lib/embedding.ts'
import { AccountField } from './AccountField.tsx'
import { PushChecks } from './PushChecks.tsx'
import styles from './push.module.css'
import { accountKey, type Pushed, type PushFields, typesFor } from './push-choice.ts'
import { usePushChoice } from './use-push-choice.ts'
import { usePushing } from './use-pushing.tsx'

/** Chooses the platform accounts that a crowd is pushed to, and previews the pushes. */
export function PushDialog(props: {
  pushed: Pushed
  preset?: PushPreset | null
  /** The advertiser chosen in the top bar, where it is not the crowd's. */
  otherAdvertiser: string | null
  /** The name of the preset's account, where no other one can be chosen. */
  onlyTo?: string | null
  /** Gets what was started. */
  onDone: (begun: readonly StartedPush[]) => void
  onCancel: () => void
}) {
  const { pushed, preset = null, otherAdvertiser, onlyTo = null, onDone, onCancel } = props
  useFocusBack()
  const { askClose, watch } = useAskClose(onCancel)
  const { form, initial, platforms, accounts, checks, chooseOtherAccount, changed } = usePushChoice(pushed, preset)
  const push = usePushing(pushed, {
    onDone,
    onRefused: (left) => form.setFieldsValue({ accounts: left.map(accountKey) }),
  })
  const isBarred = checks.length > 0 && checks.every(({ query }) => query.data?.ok === false)
  return (
    <Modal
      open
      width={640}
      title={`推送「${pushed.name}」${onlyTo === null ? '' : `到「${onlyTo}」`}`}
      onCancel={askClose}
      footer={footerOf(onCancel)}
      onOk={form.submit}
      okText="推送"
      okButtonProps={{ disabled: isBarred }}
      confirmLoading={push.isPending}
    >
      {otherAdvertiser !== null && (
        <Alert
          type="warning"
          showIcon
          title={`此人群属于广告主「${pushed.adv_name}」，不是当前选择的「${otherAdvertiser}」`}
          description={`将推送到「${pushed.adv_name}」的投放账户。`}
          className={styles.alert}
        />
      )}
      <Form<PushFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={push.start}
        onValuesChange={changed}
        className={space.dialogForm}
      >
        <FormInput watch={watch} />
        <PlatformField platforms={pushed.platforms} isHidden={onlyTo !== null} />
        <AccountField accounts={accounts} isDisabled={platforms.length === 0} isHidden={onlyTo !== null} />
        {pushed.kind === 'rule' && <RuleFields platforms={platforms} />}
        {/* A frame of another site may not change what a crowd holds out. */}
        {embedding() === null && (
          <Form.Item label="对照组">
            <ControlLine crowd={pushed} />
          </Form.Item>
        )}
      </Form>
      <PushChecks
        checks={checks}
        refused={push.refused}
        accounts={accounts}
        name={pushed.name}
        onOtherAccount={onlyTo === null ? chooseOtherAccount : null}
      />
    </Modal>
  )
}

const PlatformField = ({ platforms, isHidden }: { platforms: readonly CntType[]; isHidden: boolean }) => (
  <Form.Item name="platforms" label="平台" hidden={isHidden} rules={[{ required: true, message: '请选择平台' }]}>
    <Select
      mode="multiple"
      placeholder="请选择平台，可多选"
      options={platforms.map((code) => ({ value: code, label: platformInfo(code).name }))}
      optionRender={({ value }) => <PlatformMark platform={value as CntType} withName />}
    />
  </Form.Item>
)

/** What only a rule crowd's push asks for: the identifiers to send, and whether later changes follow. */
const RuleFields = ({ platforms }: { platforms: readonly CntType[] }) => (
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
        options={typesFor(platforms)}
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
