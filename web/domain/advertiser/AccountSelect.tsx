import { Select } from 'antd'
import { accountFullName } from '#contract/advertiser.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import type { ChosenAccount, UsableAccounts } from './use-usable-accounts.ts'

interface Props {
  id?: string
  accounts: UsableAccounts
  placeholder: string
  /** What is said of an account behind its name. */
  noteOf?: (id: number) => string
  value?: ChosenAccount | null
  onChange?: (account: ChosenAccount | null) => void
}

/** Chooses one of the accounts that can be used. */
export function AccountSelect({ id, accounts, placeholder, noteOf, value = null, onChange }: Props) {
  const { onSearch, isFound } = useNameSearch()
  const { shown, isSearched, isFetching } = accounts
  const isBeyond = value !== null && !isSearched && !shown.some((one) => one.id === value.id)
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      placeholder={placeholder}
      loading={isFetching}
      showSearch={{
        onSearch: (typed) => {
          onSearch(typed)
          accounts.search(typed)
        },
        filterOption: isSearched ? false : (typed, option) => isFound(String(option?.label), typed),
      }}
      // antd empties the field when it is left, and does not say so.
      onBlur={() => accounts.search('')}
      notFoundContent={isFetching ? '加载中' : isSearched ? '没有符合的账户' : '没有已授权的平台账户'}
      value={value?.id ?? null}
      onChange={(chosen) => onChange?.(shown.find((one) => one.id === chosen) ?? value)}
      options={(isBeyond ? [value, ...shown] : shown).map((one) => ({
        value: one.id,
        label: `${one.external_id ? accountFullName(one.name, one.external_id) : one.name}${noteOf?.(one.id) ?? ''}`,
      }))}
    />
  )
}
