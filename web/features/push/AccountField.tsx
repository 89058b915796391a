import { Flex, Form, Select } from 'antd'
import text from '../../components/text.module.css'
import { AccountId } from '../../domain/platform/AccountName.tsx'
import { paths } from '../../lib/paths.ts'
import { accountOptions } from './push-choice.ts'
import type { AccountsQuery } from './use-push-choice.ts'

/** The platform account that a crowd is pushed to; each with the platform's id, since accounts may share a name. */
export function AccountField({ accounts, isDisabled }: { accounts: AccountsQuery; isDisabled: boolean }) {
  const { data, error, isFetching } = accounts
  const externalIdOf = (id: unknown) => data?.data.find((one) => one.id === id)?.external_id ?? ''
  return (
    <Form.Item
      name="account"
      label="广告主"
      rules={[{ required: true, message: '请选择广告主' }]}
      extra={data?.data.length === 0 ? <NoAccount /> : undefined}
      validateStatus={error ? 'error' : ''}
      help={error ? `广告主加载失败：${error.message}` : undefined}
    >
      <Select
        placeholder="请选择广告主"
        disabled={isDisabled}
        loading={isFetching}
        showSearch={{ optionFilterProp: 'search' }}
        notFoundContent={isFetching ? '加载中' : '没有可以推送的账户'}
        options={accountOptions(data?.data ?? [])}
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
  )
}

const NoAccount = () => (
  <>
    该平台下没有可以推送的账户。
    <a href={paths.advertiserData()} target="_blank" rel="noreferrer">
      去授权
    </a>
  </>
)
