import { Form, Input, Radio } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'
import { ItemName } from '#contract/common.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { platformInfo } from '#contract/platform.ts'
import { type NewPackage, newPackageFaults } from '#contract/targeting/new-package.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { checkNewTargeting } from '#contract/targeting-package.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { isFault } from '../../lib/call.ts'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { startOfDay, today } from '../../lib/zone.ts'
import { AccountSelect } from '../advertiser/AccountSelect.tsx'
import { type ChosenAccount, useUsableAccount, useUsableAccounts } from '../advertiser/use-usable-accounts.ts'
import { AssetFolderField } from '../crowd/AssetFolderField.tsx'
import { ExpiryField } from './ExpiryField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { issueTicket, type Start } from './ticket.ts'
import { useLandingTypes } from './use-landing-types.ts'

interface Values extends Omit<NewPackage, 'advertiser_id'> {
  name: string
  start?: Start | null
  account: ChosenAccount | null
}

/** The field that a refusal of the choices is about. */
function fieldOf(refusal: unknown): keyof Values | null {
  if (isFault(refusal, 'nameTaken')) return 'name'
  const ofAccount = ['platformClosed', 'packageQuotaFull', 'packagesFull'] as const
  return ofAccount.some((fault) => isFault(refusal, fault)) ? 'account' : null
}

interface Props {
  platform: PackageCode
  /** The advertiser whose accounts are offered. */
  advId: number | undefined
  dirId: number | null
  /** The package that is copied; its account is chosen at first. */
  copied?: { id: number; name: string; advertiser_id: number; account_name: string; landing_type: string | null }
  /** Our id of the account that is chosen at first. */
  accountId?: number | null
  /** What it begins with at first, with its package type where it has one. */
  from?: { start: Start; type: string | null }
  onCancel: () => void
  /** `ticket`: under which the editor finds what was chosen. */
  onDone: (ticket: string) => void
}

/** What is chosen before the editor of a new package opens. */
export function NewPackageDialog({ platform, advId, dirId, copied, accountId = null, from, onCancel, onDone }: Props) {
  const { isSaas } = useEdition()
  const [form] = Form.useForm<Values>()
  const accounts = useUsableAccounts(platform, advId)
  const source = useUsableAccount(platform, copied ? { id: copied.advertiser_id, name: copied.account_name } : null)
  const checking = useAction(checkNewTargeting, [], { meta: { quiet: true } })
  const types = useLandingTypes(platform)

  const hasType = Boolean(Form.useWatch('landing_type', form))
  const typeOf = (type: string | null) => types.find(({ value }) => value === type)?.value

  /** One field's own fault, by the rules of the whole dialog. */
  const ruleOf = (field: keyof NewPackage) => ({
    async validator(_rule: unknown, given: unknown) {
      const value = field === 'advertiser_id' ? ((given as ChosenAccount | null | undefined)?.id ?? null) : given
      const nothing: NewPackage = { invalid_time: null, dir_id: null, landing_type: null, advertiser_id: null }
      const about = { today: startOfDay(today()), isSaas, hasTypes: types.length > 0 }
      const faults = newPackageFaults({ ...nothing, [field]: value ?? null }, about)
      const fault = faults.find((one) => one.field === field)
      if (fault) throw new Error(sentenceOf(fault.reason))
    },
  })
  // Crowds are an account's own, and fields those of a type, so a copy for another one is made over.
  const startOf = (account_id: number, landing_type: string | null): Start | null =>
    copied && (account_id !== copied.advertiser_id || landing_type !== copied.landing_type)
      ? { kind: 'package', id: copied.id }
      : null
  const done = async ({ name, dir_id, invalid_time, landing_type, account, start }: Values) => {
    if (!account || dir_id === null || invalid_time === null) return
    await checking.mutateAsync({ body: { targeting_name: name, dir_id, advertiser_id: account.id } })
    onDone(
      issueTicket({
        advertiser_id: account.id,
        advertiser_name: account.name,
        adv_id: advId ?? null,
        dir_id,
        name,
        landing_type: landing_type ?? null,
        invalid_time,
        start: start ?? startOf(account.id, landing_type ?? null),
      }),
    )
  }
  const only = accounts.usable.length === 1 ? accounts.usable[0] : undefined
  const suggested = source ?? accounts.usable.find(({ id }) => id === accountId) ?? only
  const isReady = !accounts.isPending && source !== undefined
  const suggest = useEffectEvent(() => {
    if (suggested && !form.getFieldValue('account')) form.setFieldValue('account', suggested)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once what can be suggested is known
  useEffect(suggest, [isReady])
  return (
    <FormDialog<Values>
      title={copied ? `复制定向包「${copied.name}」` : `新建${platformInfo(platform).name}定向包`}
      okText="去设置"
      form={form}
      isBusy={checking.isPending}
      initialValues={{
        dir_id: dirId,
        account: null,
        ...(from && { start: from.start, landing_type: typeOf(from.type) }),
      }}
      refusalUnder={fieldOf}
      onSave={done}
      onCancel={onCancel}
    >
      <Form.Item name="name" label="定向包名称" rules={[zodRule(ItemName)]} validateTrigger="onSubmit">
        <Input
          maxLength={60}
          placeholder="请输入定向包名称"
          autoComplete="off"
          count={{ show: true, max: 30, strategy: (text) => [...text].length }}
        />
      </Form.Item>
      {!copied && (
        <Form.Item name="start" label="从模板开始">
          <TemplateField
            platform={platform}
            advId={advId}
            onType={(type) => form.setFieldValue('landing_type', typeOf(type))}
          />
        </Form.Item>
      )}
      {types.length > 0 && (
        <Form.Item
          name="landing_type"
          label="定向包类型"
          rules={[ruleOf('landing_type')]}
          extra={`${hasType ? '' : '请选择，'}新建后不能更改`}
        >
          <Radio.Group aria-label="定向包类型" options={[...types]} />
        </Form.Item>
      )}
      <Form.Item
        name="account"
        label="平台账户"
        // A refusal of the only account is to be seen.
        hidden={!isSaas && only !== undefined && !checking.isError}
        rules={isSaas ? [ruleOf('advertiser_id')] : [{ required: true, message: '请选择平台账户' }]}
        extra={
          accounts.error ? (
            `平台账户加载失败：${accounts.error.message || '请求失败'}`
          ) : !accounts.isPending && accounts.usable.length === 0 ? (
            <>
              没有已授权的平台账户，<Link to={paths.advertiserData()}>去授权</Link>
            </>
          ) : undefined
        }
      >
        <AccountSelect accounts={accounts} placeholder="请选择平台账户" />
      </Form.Item>
      <Form.Item name="invalid_time" label="失效时间" rules={[ruleOf('invalid_time')]}>
        <ExpiryField />
      </Form.Item>
      <Form.Item name="dir_id" label="存储路径" rules={[ruleOf('dir_id')]}>
        <AssetFolderField />
      </Form.Item>
    </FormDialog>
  )
}
