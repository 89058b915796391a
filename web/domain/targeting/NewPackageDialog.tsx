import { useQuery } from '@tanstack/react-query'
import { Form, Input, Radio, Select } from 'antd'
import { listAdvertisers } from '#contract/advertiser.ts'
import { ItemName } from '#contract/common.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { platformInfo } from '#contract/platform.ts'
import { labelOf } from '#contract/targeting/five-tab/labels.ts'
import { codesOf, fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import { type NewPackage, newPackageFaults } from '#contract/targeting/new-package.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useEdition } from '../../lib/edition.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import { queryOf } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { startOfDay, today } from '../../lib/zone.ts'
import { AssetFolderField } from '../crowd/AssetFolderField.tsx'
import { ExpiryField } from './ExpiryField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { issueTicket, type Start } from './ticket.ts'

type Values = NewPackage & { name: string; start?: Start | null }

interface Props {
  platform: PackageCode
  /** The advertiser whose accounts are offered. */
  advId: number | undefined
  dirId: number | null
  /** The package that is copied; its account is chosen at first. */
  copied?: { id: number; name: string; advertiser_id: number; landing_type: string | null }
  onCancel: () => void
  /** `ticket`: under which the editor finds what was chosen. */
  onDone: (ticket: string) => void
}

/** What is chosen before the editor of a new package opens. */
export function NewPackageDialog({ platform, advId, dirId, copied, onCancel, onDone }: Props) {
  const { isSaas } = useEdition()
  const { onSearch, isFound } = useNameSearch()
  const accounts = useQuery({
    ...queryOf(listAdvertisers, { query: { auth_type: platform, per_page: 500, ...(advId && { adv_id: advId }) } }),
    meta: { inPlace: true },
  })
  const usable = (accounts.data?.data ?? []).filter(({ is_authorised }) => is_authorised)
  const editor = fiveTabPlatform(platform)
  const types = editor === null ? [] : codesOf(editor, 'landing_type')

  /** One field's own fault, by the rules of the whole dialog. */
  const ruleOf = (field: keyof NewPackage) => ({
    async validator(_rule: unknown, value: unknown) {
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
  const done = (values: Values) => {
    const account = usable.find(({ id }) => id === values.advertiser_id)
    if (!account || values.dir_id === null || values.invalid_time === null) return
    onDone(
      issueTicket({
        advertiser_id: account.id,
        advertiser_name: account.name,
        dir_id: values.dir_id,
        name: values.name,
        landing_type: values.landing_type ?? null,
        invalid_time: values.invalid_time,
        start: values.start ?? startOf(account.id, values.landing_type ?? null),
      }),
    )
  }
  if (!accounts.data && !accounts.error) return null
  const only = usable.length === 1 ? usable[0]?.id : undefined
  return (
    <FormDialog<Values>
      title={copied ? `复制定向包「${copied.name}」` : `新建${platformInfo(platform).name}定向包`}
      okText="去设置"
      isBusy={false}
      initialValues={{
        dir_id: dirId,
        advertiser_id: usable.find(({ id }) => id === copied?.advertiser_id)?.id ?? only ?? null,
      }}
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
          <TemplateField platform={platform} advId={advId} />
        </Form.Item>
      )}
      {types.length > 0 && (
        <Form.Item name="landing_type" label="定向包类型" rules={[ruleOf('landing_type')]}>
          <Radio.Group
            aria-label="定向包类型"
            options={types.map((value) => ({ value, label: labelOf('landing_type', value) }))}
          />
        </Form.Item>
      )}
      <Form.Item
        name="advertiser_id"
        label={isSaas ? '广告主' : '平台账户'}
        hidden={!isSaas && only !== undefined}
        rules={isSaas ? [ruleOf('advertiser_id')] : [{ required: true, message: '请选择平台账户' }]}
        extra={accounts.error ? `平台账户加载失败：${accounts.error.message || '请求失败'}` : undefined}
      >
        <Select
          placeholder={isSaas ? '请选择广告主' : '请选择平台账户'}
          showSearch={{
            onSearch,
            filterOption: (typed, option) => isFound(String(option?.label), typed),
          }}
          notFoundContent="没有已授权的平台账户"
          options={usable.map(({ id, name, external_id }) => ({ value: id, label: `${name}（${external_id ?? ''}）` }))}
        />
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
