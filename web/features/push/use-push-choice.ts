import { skipToken, useQuery } from '@tanstack/react-query'
import { App, Form } from 'antd'
import { useState } from 'react'
import { listAdvertisers } from '#contract/advertiser.ts'
import { type CntType, getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import type { BodyOf, DataOf } from '#contract/endpoint.ts'
import { audienceInfo } from '#contract/platform.ts'
import { checkPush, listPushes, startPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import type { CallError } from '../../lib/call.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { keyOf, queryOf, useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { initialChoice, isComplete, type Pushed, type PushFields, pushBody, sourceOf } from './push-choice.ts'

/** Types are ticked one by one; without a delay each tick would count all members again. */
const CHECK_DELAY_MS = 400

/** The form of a push: the chosen platform and account, the accounts offered, and what the push would send. */
export function usePushChoice(pushed: Pushed, preset: PushPreset | null) {
  const [form] = Form.useForm<PushFields>()
  const [initial] = useState(() => initialChoice(pushed, saved.pushChoice.get(), preset))
  const platform = Form.useWatch('platform', form) ?? initial.platform
  const account = Form.useWatch('account', form) ?? undefined
  const types = useDebounced(Form.useWatch('types', form), CHECK_DELAY_MS)
  const accounts = useAccounts(pushed.adv_id, platform)
  const isOffered = accounts.data?.data.some((one) => one.id === account) ?? false
  const source = sourceOf(pushed, types)
  const isChecked = source !== null && platform !== undefined && isOffered
  const check = useCheck(
    isChecked && account !== undefined ? { source, cnt_type: platform, account_id: account } : null,
  )
  return {
    form,
    initial,
    platform,
    accounts,
    /** The check of the push, or null until enough is chosen. */
    check: isChecked ? check : null,
    chooseOtherAccount: () => {
      form.setFieldsValue({ account: undefined })
      form.focusField('account')
    },
    changed: (fields: PushFields) => {
      // Another platform has other accounts and accepts other types.
      if ('platform' in fields) form.setFieldsValue({ account: undefined, types: [] })
    },
  }
}

export type AccountsQuery = ReturnType<typeof useAccounts>

/** The advertiser's accounts on a platform. */
const useAccounts = (adv_id: number, platform: CntType | undefined) =>
  useQuery({
    ...queryOf(listAdvertisers, {
      query: {
        page: 1,
        per_page: 100,
        auth_type: platform ?? -1,
        adv_id,
        scope: platform ? audienceInfo(platform).listScopes.join(',') : undefined,
      },
    }),
    enabled: platform !== undefined,
  })

/** What the push would send. Nothing is asked while the choice is null. */
const useCheck = (choice: BodyOf<typeof checkPush> | null) =>
  useQuery<DataOf<typeof checkPush>, CallError>({
    ...(choice ? queryOf(checkPush, { body: choice }) : { queryKey: [keyOf(checkPush)], queryFn: skipToken }),
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Starts the push and remembers the choice for the next dialog. */
export function usePushing(pushed: Pushed, onDone: () => void) {
  const { message } = App.useApp()
  const push = useAction(
    startPush,
    [listCustomCrowds, getCustomCrowd, getCustomQuota, listPushes, listRuleChildren, listTasks],
    { meta: { quiet: true } },
  )
  const start = (fields: PushFields) => {
    if (!isComplete(fields)) return
    const { platform, account } = fields
    push.mutate(
      { params: { cnt_type: platform }, body: pushBody(pushed, fields) },
      {
        onSuccess: () => {
          saved.pushChoice.set({ platform, account, adv_id: pushed.adv_id })
          message.success('推送成功')
          onDone()
        },
        onError: (error) => void message.error(error.message || '推送失败'),
      },
    )
  }
  return { start, isPending: push.isPending }
}
