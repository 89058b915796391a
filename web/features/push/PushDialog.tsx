import { useQuery } from '@tanstack/react-query'
import { App, Flex, Form, Modal, Select, Switch } from 'antd'
import { useState } from 'react'
import { accountBareName, listAdvertisers } from '#contract/advertiser.ts'
import { type CntType, type CustomChild, getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import type { BodyOf, DataOf } from '#contract/endpoint.ts'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { audienceInfo, PLATFORMS, platformInfo, platformsTaking } from '#contract/platform.ts'
import { checkPush, listPushes, startPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { AccountId } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { useDebounced } from '../../lib/debounced.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { PushCheckView } from './PushCheckView.tsx'

/** Types are ticked one by one; without a delay each tick would count all members again. */
const CHECK_DELAY_MS = 400

/** What is pushed: an uploaded crowd with its one type, or a rule crowd, whose types are chosen here. */
export interface Pushed {
  kind: 'custom' | 'rule'
  id: number
  name: string
  adv_id: number
  /** Platforms that it can be pushed to. */
  platforms: readonly CntType[]
}

interface Fields {
  platform?: CntType | undefined
  account?: number | undefined
  types?: IdentifierType[]
  keeps_step?: boolean
}

/** The last choice in this session, if it is still valid. */
function remembered(pushed: Pushed): Fields {
  const { platform, account, adv_id } = saved.pushChoice.get() ?? {}
  if (adv_id !== pushed.adv_id) return {}
  const known = pushed.platforms.find((one) => one === platform)
  return known && typeof account === 'number' ? { platform: known, account } : {}
}

/** Chooses the platform account that a crowd is pushed to, and previews the push. */
export function PushDialog(props: {
  pushed: Pushed
  /** Preset choice: the child that is pushed again. */
  preset?: CustomChild | null
  onDone: () => void
  onCancel: () => void
}) {
  const { pushed, preset, onDone, onCancel } = props
  const { message } = App.useApp()
  useFocusBack()
  const [form] = Form.useForm<Fields>()
  const isRule = pushed.kind === 'rule'
  const [initial] = useState<Fields>(() => ({
    types: [],
    keeps_step: false,
    platform: pushed.platforms.length === 1 ? pushed.platforms[0] : undefined,
    ...remembered(pushed),
    ...(preset && {
      platform: preset.cnt_type,
      account: preset.adv_id,
      types: preset.types,
      keeps_step: preset.keeps_step,
    }),
  }))
  const platform = Form.useWatch('platform', form) ?? initial.platform
  const account = Form.useWatch('account', form) ?? undefined
  const ticked = Form.useWatch('types', form)
  const types = useDebounced(ticked, CHECK_DELAY_MS)

  const accounts = useQuery({
    ...queryOf(listAdvertisers, {
      query: {
        page: 1,
        per_page: 100,
        auth_type: platform ?? -1,
        adv_id: pushed.adv_id,
        scope: platform ? audienceInfo(platform).listScopes.join(',') : undefined,
      },
    }),
    enabled: platform !== undefined,
  })
  const source: BodyOf<typeof checkPush>['source'] | null =
    pushed.kind === 'custom'
      ? { kind: 'custom', id: pushed.id }
      : types && types.length > 0
        ? { kind: 'rule', id: pushed.id, types }
        : null
  const externalIdOf = (id: unknown) => accounts.data?.data.find((one) => one.id === id)?.external_id ?? ''
  const isOffered = accounts.data?.data.some((one) => one.id === account) ?? false
  const check = useQuery({
    ...queryOf(checkPush, {
      body: {
        source: source ?? { kind: 'custom', id: pushed.id },
        cnt_type: platform ?? PLATFORMS.social.code,
        account_id: account ?? 1,
      },
    }),
    enabled: source !== null && platform !== undefined && isOffered,
    staleTime: 0,
    meta: { inPlace: true },
  })

  const push = useAction(
    startPush,
    [listCustomCrowds, getCustomCrowd, getCustomQuota, listPushes, listRuleChildren, listTasks],
    { meta: { quiet: true } },
  )
  const save = (fields: Fields) => {
    if (fields.platform === undefined || fields.account === undefined) return
    push.mutate(
      {
        params: { cnt_type: fields.platform },
        body: {
          id: pushed.id,
          advertiser_id: fields.account,
          cnt_type: fields.platform,
          selectPt: fields.platform,
          adv_id: fields.account,
          kind: pushed.kind,
          types: isRule ? (fields.types ?? []) : [],
          keeps_step: isRule ? (fields.keeps_step ?? false) : false,
        },
      },
      {
        onSuccess: () => {
          saved.pushChoice.set({
            platform: fields.platform,
            account: fields.account,
            adv_id: pushed.adv_id,
          })
          message.success('推送成功')
          onDone()
        },
        onError: (error) => void message.error(error.message || '推送失败'),
      },
    )
  }

  return (
    <Modal
      open
      width={640}
      title={`推送「${pushed.name}」`}
      onCancel={onCancel}
      onOk={form.submit}
      okText="推送"
      okButtonProps={{ disabled: check.isEnabled && check.data?.ok === false }}
      confirmLoading={push.isPending}
    >
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={save}
        onValuesChange={(changed: Fields) => {
          // Another platform has other accounts and accepts other types.
          if ('platform' in changed) form.setFieldsValue({ account: undefined, types: [] })
        }}
        style={{ paddingTop: 8 }}
      >
        <Form.Item name="platform" label="平台" rules={[{ required: true, message: '请选择平台' }]}>
          <Select
            placeholder="请选择平台"
            options={pushed.platforms.map((code) => ({ value: code, label: platformInfo(code).name }))}
            optionRender={({ value }) => <PlatformMark platform={value as CntType} withName />}
          />
        </Form.Item>
        <Form.Item
          name="account"
          label="广告主"
          rules={[{ required: true, message: '请选择广告主' }]}
          extra={
            accounts.data?.data.length === 0 ? (
              <>
                该平台下没有可以推送的账户。
                <a href={paths.advertiserData()} target="_blank" rel="noreferrer">
                  去授权
                </a>
              </>
            ) : undefined
          }
          validateStatus={accounts.error ? 'error' : ''}
          help={accounts.error ? `广告主加载失败：${accounts.error.message}` : undefined}
        >
          <Select
            placeholder="请选择广告主"
            disabled={platform === undefined}
            loading={accounts.isFetching}
            showSearch={{ optionFilterProp: 'search' }}
            notFoundContent={accounts.isFetching ? '加载中' : '没有可以推送的账户'}
            options={accountOptions(accounts.data?.data ?? [])}
            optionRender={({ label, value }) => (
              <Flex justify="space-between" align="baseline" gap={8} wrap>
                <span>{label}</span>
                {externalIdOf(value) && <AccountId external_id={externalIdOf(value)} />}
              </Flex>
            )}
            labelRender={({ label, value }) => (
              <Flex align="baseline" gap={8}>
                <span className={text.cut}>{label}</span>
                {externalIdOf(value) && (
                  <span className={text.nowrap}>
                    <AccountId external_id={externalIdOf(value)} />
                  </span>
                )}
              </Flex>
            )}
          />
        </Form.Item>
        {isRule && (
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
        )}
      </Form>
      {source !== null && isOffered && (
        <QueryState query={check} errorTitle="推送检查失败">
          {(found) => <PushCheckView check={found} name={pushed.name} isStale={check.isFetching} />}
        </QueryState>
      )}
    </Modal>
  )
}

/** Usable accounts first. The others can be chosen too; the check says why they cannot be pushed to. */
function accountOptions(accounts: DataOf<typeof listAdvertisers>['data']) {
  const optionOf = ({ id, name, external_id = '' }: (typeof accounts)[number]) => ({
    value: id,
    label: accountBareName(name, external_id),
    search: `${name} ${external_id}`,
  })
  const ready = accounts.filter((one) => one.is_authorised).map(optionOf)
  const others = accounts.filter((one) => !one.is_authorised).map(optionOf)
  return [
    { label: '已授权', options: ready },
    { label: '未授权或授权已失效', options: others },
  ].filter(({ options }) => options.length > 0)
}

/** The types that a platform accepts. */
const typesFor = (platform: CntType | undefined) =>
  IdentifierType.options
    .filter((type) => platform === undefined || platformsTaking(type).includes(platform))
    .map((type) => ({ value: type, label: IDENTIFIERS[type].label }))
