import { WarningFilled } from '@ant-design/icons'
import { Flex, Space, Table, Tag, Tooltip, Typography } from 'antd'
import { useEffect, useRef } from 'react'
import { accountBareName, type PlatformAccount } from '#contract/advertiser.ts'
import { isAudienceCode, type PlatformCode, platformInfo, scopeName } from '#contract/platform.ts'
import type { PackageQuota } from '#contract/targeting/quota.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { formatCount, formatTime, NONE } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { AccountRemark } from './AccountRemark.tsx'
import { AuthoriseButtons } from './AuthoriseButtons.tsx'
import { concernOf, endingWords, STATES } from './account-words.ts'
import styles from './advertiser.module.css'
import { PackagePlaces } from './PackagePlaces.tsx'
import type { Authorising } from './use-authorise.tsx'

interface Props {
  adv_id: number
  accounts: PlatformAccount[]
  authorising: Authorising
  /** The account that a link opened. */
  shown: number | null
  now: number
}

/** The platform accounts of one advertiser with their authorisations, and buttons to authorise more. */
export function AccountTable({ adv_id, accounts, authorising, shown, now }: Props) {
  const table = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (shown !== null) table.current?.querySelector(`[data-row-key="${shown}"]`)?.scrollIntoView({ block: 'center' })
  }, [shown])

  return (
    <div ref={table}>
      <Flex align="center" gap={8} wrap className={styles.addAccount}>
        {accounts.length === 0 && (
          <Typography.Text type="secondary">还没有平台账户。授权平台账户后，人群才能推送到广告平台。</Typography.Text>
        )}
        <AuthoriseButtons adv_id={adv_id} authorising={authorising} />
      </Flex>
      {accounts.length > 0 && (
        <Table
          rowKey="id"
          size="small"
          scroll={{ x: 950 }}
          pagination={false}
          dataSource={accounts}
          onRow={(account) => (account.id === shown ? { className: styles.shown, 'aria-current': true } : {})}
          columns={[
            {
              title: '平台',
              dataIndex: 'platform',
              width: 104,
              render: (platform: PlatformCode) => <PlatformMark platform={platform} withName />,
            },
            {
              title: '账户',
              dataIndex: 'name',
              width: 190,
              ellipsis: true,
              render: (name: string, account) => (
                <>
                  <Typography.Text ellipsis={{ tooltip: accountBareName(name, account.external_id) }}>
                    {accountBareName(name, account.external_id)}
                  </Typography.Text>
                  <div>
                    <Typography.Text type="secondary">ID {account.external_id}</Typography.Text>
                    <CopyIcon text={account.external_id} what="账户 ID" />
                  </div>
                  <AccountRemark adv_id={adv_id} account={account} />
                </>
              ),
            },
            {
              title: '授权状态',
              dataIndex: 'state',
              render: (_, account) => <State account={account} />,
            },
            {
              title: '权限范围',
              dataIndex: 'scope_list',
              width: 96,
              render: (_, account) => <Scopes account={account} now={now} />,
            },
            {
              title: '授权到期',
              dataIndex: 'expires_at',
              width: 160,
              render: (expires_at: number | null, account) => {
                const ending = endingWords(account, now)
                return (
                  <>
                    <Tooltip title={expires_at !== null && ending === null ? '到期前会自动延长' : null}>
                      <span>{formatTime(expires_at)}</span>
                    </Tooltip>
                    {ending && (
                      <div>
                        <WarningFilled className={text.warning} /> {ending}
                      </div>
                    )}
                  </>
                )
              },
            },
            {
              title: '人群包',
              dataIndex: 'audiences',
              width: 76,
              align: 'right',
              render: (audiences: number, { id, platform }) => {
                if (!isAudienceCode(platform)) return <Tooltip title="人群不推送到这个平台">{NONE}</Tooltip>
                if (audiences === 0) return formatCount(audiences)
                return <RowAction to={paths.accountAudiences(id)}>{formatCount(audiences)}</RowAction>
              },
            },
            {
              title: '定向包',
              dataIndex: 'packages',
              width: 104,
              align: 'right',
              render: (packages: PackageQuota | null) =>
                packages === null ? NONE : <PackagePlaces quota={packages} />,
            },
            {
              title: '操作',
              key: 'action',
              width: 116,
              render: (_, account) => <Actions adv_id={adv_id} account={account} authorising={authorising} />,
            },
          ]}
        />
      )}
    </div>
  )
}

function State({ account: { state, reason, login } }: { account: PlatformAccount }) {
  const { tone, name } = STATES[state]
  return (
    <>
      <StatusDot tone={tone}>{name}</StatusDot>
      {reason ? (
        <div className={styles.reason}>{reason}</div>
      ) : (
        login && (
          <Typography.Text type="secondary" ellipsis={{ tooltip: login.name }} className={styles.login}>
            {login.accounts > 1 ? `${login.accounts} 个账户共用登录 ${login.name}` : `登录 ${login.name}`}
          </Typography.Text>
        )
      )}
    </>
  )
}

function Scopes({ account, now }: { account: PlatformAccount; now: number }) {
  // Nothing is granted yet.
  if (account.state === 'none') return '--'
  if (concernOf(account, now) === 'powerless')
    return <Typography.Text type="warning">没有人群权限：请重新授权，勾选人群管理</Typography.Text>
  if (account.scope_list.length === 0) return <Typography.Text type="secondary">无</Typography.Text>
  return (
    <Space size={4} wrap>
      {account.scope_list.map((scope) => (
        <Tag key={scope} title={scope}>
          {scopeName(account.platform, scope)}
        </Tag>
      ))}
    </Space>
  )
}

function Actions({
  adv_id,
  account,
  authorising,
}: {
  adv_id: number
  account: PlatformAccount
  authorising: Authorising
}) {
  const { platform, state, login, name } = account
  const isFirst = state === 'none'
  return (
    <Flex gap={12}>
      <RowAction
        changes={adv_id}
        refusal={authorising.refusalOf(platform)}
        hint={isFirst ? undefined : `在${platformInfo(platform).name}的授权页选择「${name}」`}
        loading={authorising.leaving?.adv_id === adv_id && authorising.leaving.platform === platform}
        onClick={() => authorising.start(adv_id, platform)}
      >
        {isFirst ? '授权' : '重新授权'}
      </RowAction>
      {login && (
        <RowAction changes={adv_id} danger onClick={() => authorising.revoke(account)}>
          撤销
        </RowAction>
      )}
    </Flex>
  )
}
