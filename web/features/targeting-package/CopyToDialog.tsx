import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Flex, Form, Input, Modal, Select, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ItemName, NAME_MAX } from '#contract/common.ts'
import { type AssetTab, platformInfo } from '#contract/platform.ts'
import { NEVER } from '#contract/rule-crowd.ts'
import { PACKAGE_CODES, type PackageCode } from '#contract/targeting/package-codes.ts'
import { previewTargetingCopy } from '#contract/targeting-copy.ts'
import { copyTargeting, listTargetings, type TargetingPackage } from '#contract/targeting-package.ts'
import { FirstField } from '../../components/FirstField.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { useAskLeave } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { AccountSelect } from '../../domain/advertiser/AccountSelect.tsx'
import { type ChosenAccount, useUsableAccounts } from '../../domain/advertiser/use-usable-accounts.ts'
import { AssetFolderField } from '../../domain/crowd/AssetFolderField.tsx'
import { CopyChanges } from '../../domain/targeting/CopyChanges.tsx'
import { issueTicket } from '../../domain/targeting/ticket.ts'
import { useLandingTypes } from '../../domain/targeting/use-landing-types.ts'
import { useOnce } from '../../lib/once.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { TargetingWords } from './TargetingWords.tsx'
import styles from './targeting-package.module.css'

/** Time to read where the copy is and to go there. */
const SHOWN_S = 6

const COPY = '_副本'
/** A name that says what it is, within the bound of names. */
const copyNameOf = (name: string) => [...name].slice(0, NAME_MAX - [...COPY].length).join('') + COPY

/** Copies a package to another account or platform: what is carried over and what is not stands there before it is saved. */
export function CopyToDialog({ row, onClose }: { row: TargetingPackage; onClose: () => void }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  useFocusBack()
  const [platform, setPlatform] = useState<PackageCode>(row.platform)
  const [account, setAccount] = useState<ChosenAccount | null>(null)
  const [type, setType] = useState<string | null>(row.landing_type)
  const [name, setName] = useState(copyNameOf(row.name))
  const [dirId, setDirId] = useState<number | null>(row.dir_id)
  const [refusal, setRefusal] = useState<string | null>(null)
  const isTouched = account !== null || name !== copyNameOf(row.name) || dirId !== row.dir_id
  const { askClose } = useAskLeave(isTouched, onClose)
  const accounts = useUsableAccounts(platform)
  const types = useLandingTypes(platform)
  const landing_type = types.length === 0 ? null : (types.find(({ value }) => value === type)?.value ?? null)
  const isTyped = types.length === 0 || landing_type !== null
  const preview = useQuery({
    ...queryOf(previewTargetingCopy, { body: { id: row.id, advertiser_id: account?.id ?? 0, landing_type } }),
    enabled: account !== null && isTyped,
    meta: { inPlace: true },
  })
  const copying = useAction(copyTargeting, [listTargetings], { meta: { quiet: true } })
  const wrongName = ItemName.safeParse(name).error?.issues[0]?.message ?? null
  const isReady = account !== null && isTyped && wrongName === null && dirId !== null && preview.isSuccess
  const copy = useOnce(async (advertiser_id: number, dir_id: number) => {
    // The preview has said so.
    const without_crowds = preview.data?.changes.some(
      ({ reason_outcome }) => reason_outcome.code === 'copy_crowds_unread',
    )
    const body = { id: row.id, advertiser_id, targeting_name: name, dir_id, landing_type, without_crowds }
    await copying.mutateAsync({ body })
    const list = paths.assets(platformInfo(platform).tab as AssetTab, { dir_id })
    message.success(
      <>
        复制成功
        <Button type="link" size="small" onClick={() => navigate(list)}>
          查看副本
        </Button>
      </>,
      SHOWN_S,
    )
    onClose()
  })
  const save = async () => {
    if (!account || dirId === null) return
    try {
      await copy(account.id, dirId)
    } catch (error) {
      setRefusal((error as Error).message || '复制失败')
    }
  }
  const openEditor = () => {
    if (!account || dirId === null) return
    const ticket = issueTicket({
      advertiser_id: account.id,
      advertiser_name: account.name,
      adv_id: null,
      dir_id: dirId,
      name,
      landing_type,
      // The last second of the last day there is would be refused as one after it.
      invalid_time: Math.min(row.invalidTime, NEVER),
      start: { kind: 'package', id: row.id },
    })
    navigate(paths.targetingEdit(platform, 0, { ticket }))
  }
  return (
    <Modal
      open
      width={760}
      title={`复制定向包「${row.name}」到`}
      onCancel={askClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          取消
        </Button>,
        <Button key="open" disabled={!isReady} onClick={openEditor}>
          打开编辑器
        </Button>,
        <Button key="save" type="primary" disabled={!isReady} loading={copying.isPending} onClick={() => void save()}>
          复制
        </Button>,
      ]}
    >
      <FirstField />
      <Form layout="vertical" component="div" requiredMark={false}>
        <div className={styles.copyTo}>
          <Form.Item label="平台" htmlFor="copy-platform">
            <Select<PackageCode>
              id="copy-platform"
              value={platform}
              onChange={(code) => {
                setPlatform(code)
                setAccount(null)
              }}
              options={PACKAGE_CODES.map((code) => ({ value: code, label: platformInfo(code).name }))}
            />
          </Form.Item>
          <Form.Item
            label="平台账户"
            htmlFor="copy-account"
            {...(accounts.error && { help: `平台账户加载失败：${accounts.error.message || '请求失败'}` })}
          >
            <AccountSelect
              key={platform}
              id="copy-account"
              accounts={accounts}
              placeholder="请选择平台账户"
              noteOf={(id) => (id === row.advertiser_id ? ' · 原账户' : '')}
              value={account}
              onChange={setAccount}
            />
          </Form.Item>
          {types.length > 0 && (
            <Form.Item label="定向包类型" htmlFor="copy-type">
              <Select
                id="copy-type"
                placeholder="请选择定向包类型"
                value={landing_type}
                onChange={setType}
                options={[...types]}
              />
            </Form.Item>
          )}
          <Form.Item
            label="定向包名称"
            htmlFor="copy-name"
            {...((refusal ?? wrongName) && { validateStatus: 'error' as const, help: refusal ?? wrongName })}
          >
            <Input
              id="copy-name"
              value={name}
              maxLength={60}
              onChange={({ target }) => {
                setName(target.value)
                setRefusal(null)
              }}
            />
          </Form.Item>
          <Form.Item label="存储路径" htmlFor="copy-folder">
            <AssetFolderField id="copy-folder" value={dirId} onChange={setDirId} />
          </Form.Item>
        </div>
      </Form>
      {account === null || !isTyped ? (
        <Alert type="info" title="选择平台账户与类型后，这里列出哪些条件会带过去，哪些不会。" />
      ) : (
        <QueryState query={preview} errorTitle="预览加载失败">
          {({ targeting, changes }) => (
            <Flex vertical gap={12}>
              {changes.length === 0 ? (
                <Alert type="success" showIcon title="全部条件都会原样带过去" />
              ) : (
                <>
                  <Alert type="warning" showIcon title={`${changes.length} 项条件不能原样带过去`} />
                  <CopyChanges changes={changes} />
                </>
              )}
              <Typography.Title level={3} className={text.sectionTitle}>
                带过去的内容
              </Typography.Title>
              <TargetingWords platform={platform} targeting={targeting} accountId={account.id} />
            </Flex>
          )}
        </QueryState>
      )}
    </Modal>
  )
}
