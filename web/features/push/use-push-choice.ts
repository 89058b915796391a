import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { Form } from 'antd'
import { useState } from 'react'
import { listAdvertisers } from '#contract/advertiser.ts'
import type { CntType } from '#contract/audience.ts'
import { audienceInfo } from '#contract/platform.ts'
import { checkPush } from '#contract/push.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { accountKey, accountsIn, initialChoice, type Pushed, type PushFields, sourceOf } from './push-choice.ts'

/** Types are ticked one by one; without a delay each tick would count all members again. */
const CHECK_DELAY_MS = 400
const SEARCH_DELAY_MS = 300
const ACCOUNTS_PER_PAGE = 100

/** The form of a push: the chosen platforms and accounts, the accounts offered, and what the push would send. */
export function usePushChoice(pushed: Pushed, preset: PushPreset | null) {
  const [form] = Form.useForm<PushFields>()
  const [initial] = useState(() => initialChoice(pushed, saved.pushChoice.get(), preset))
  const platforms = Form.useWatch('platforms', form) ?? initial.platforms ?? []
  const keys = Form.useWatch('accounts', form) ?? initial.accounts
  const types = useDebounced(Form.useWatch('types', form), CHECK_DELAY_MS)
  const accounts = useAccounts(pushed.adv_id, platforms)
  const source = sourceOf(pushed, types)
  const chosen = accountsIn(keys)
  const checks = useQueries({
    queries: source
      ? chosen.map((one) => ({
          ...queryOf(checkPush, { body: { source, ...one } }),
          staleTime: 0,
          meta: { inPlace: true },
        }))
      : [],
  })
  return {
    form,
    initial,
    platforms,
    accounts,
    /** What would be sent to each chosen account; empty until enough is chosen. */
    checks: checks.flatMap((query, i) => {
      const account = chosen[i]
      return account ? [{ ...account, key: accountKey(account), query }] : []
    }),
    chooseOtherAccount: (key: string) => {
      form.setFieldsValue({ accounts: (form.getFieldValue('accounts') ?? []).filter((one: string) => one !== key) })
      form.focusField('accounts')
    },
    changed: (fields: PushFields) => {
      // A platform that is no longer chosen takes its accounts with it.
      const { platforms } = fields
      if (!platforms) return
      const kept = accountsIn(form.getFieldValue('accounts')).filter((one) => platforms.includes(one.cnt_type))
      form.setFieldsValue({ accounts: kept.map(accountKey) })
    },
  }
}

export type OfferedAccounts = ReturnType<typeof useAccounts>

/** The advertiser's accounts on the platforms that match what was typed; the server searches all of them. */
function useAccounts(adv_id: number, platforms: readonly CntType[]) {
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const queries = useQueries({
    queries: platforms.map((platform) => ({
      ...queryOf(listAdvertisers, {
        query: {
          page: 1,
          per_page: ACCOUNTS_PER_PAGE,
          auth_type: platform,
          adv_id,
          scope: audienceInfo(platform).listScopes.join(','),
          name: name || undefined,
        },
      }),
      placeholderData: keepPreviousData,
      meta: { inPlace: true },
    })),
  })
  const loaded = queries.flatMap(({ data }, i) => {
    const platform = platforms[i]
    return data && platform !== undefined ? [{ platform, accounts: data.data, total: data.total }] : []
  })
  return {
    loaded,
    search: setTyped,
    isSearched: name !== '',
    isFetching: queries.some((query) => query.isFetching),
    error: queries.find((query) => query.error && !query.data)?.error ?? null,
  }
}
