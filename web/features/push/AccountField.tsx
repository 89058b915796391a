import { Flex, Form, Select } from 'antd'
import { PUSH_ACCOUNTS_MAX } from '#contract/push.ts'
import text from '../../components/text.module.css'
import { AccountId } from '../../domain/platform/AccountName.tsx'
import { paths } from '../../lib/paths.ts'
import { accountOptions } from './push-choice.ts'
import type { OfferedAccounts } from './use-push-choice.ts'

/** The platform accounts that a crowd is pushed to; each with the platform's id, since accounts may share a name. */
export function AccountField(props: {
  accounts: OfferedAccounts
  isDisabled: boolean
  /** The account was chosen before. */
  isHidden: boolean
}) {
  const { accounts, isDisabled, isHidden } = props
  const { loaded, error, isFetching, isSearched, search } = accounts
  const isMore = loaded.some((one) => one.total > one.accounts.length)
  const hasNone = !isDisabled && !isFetching && !isSearched && loaded.every((one) => one.total === 0)
  const options = accountOptions(loaded)
  const externalIdOf = (key: unknown) =>
    options.flatMap((group) => group.options).find((one) => one.value === key)?.external_id ?? ''
  return (
    <Form.Item
      name="accounts"
      label="投放账户"
      hidden={isHidden}
      rules={[{ required: true, message: '请选择广告主' }]}
      extra={hasNone ? <NoAccount /> : isMore ? '账户较多，可输入名称、账户 ID 或备注搜索' : undefined}
      {...(error ? { validateStatus: 'error' as const, help: `投放账户加载失败：${error.message || '请求失败'}` } : {})}
    >
      <Select
        mode="multiple"
        maxCount={PUSH_ACCOUNTS_MAX}
        placeholder="请选择投放账户，可多选"
        disabled={isDisabled}
        loading={isFetching}
        showSearch={{ filterOption: false, onSearch: search, autoClearSearchValue: true }}
        // antd empties the field when it is left, and does not say so.
        onBlur={() => search('')}
        notFoundContent={isFetching ? '加载中' : isSearched ? '没有符合的账户' : '没有可以推送的账户'}
        options={options}
        optionRender={({ label, value }) => (
          <Flex justify="space-between" align="baseline" gap={8}>
            <span className={text.cut}>{label}</span>
            <span className={text.nowrap}>
              {externalIdOf(value) && <AccountId external_id={externalIdOf(value)} />}
            </span>
          </Flex>
        )}
      />
    </Form.Item>
  )
}

const NoAccount = () => (
  <>
    所选平台下没有可以推送的账户。
    <a href={paths.advertiserData()} target="_blank" rel="noreferrer" className={text.underlined}>
      去授权
    </a>
  </>
)
