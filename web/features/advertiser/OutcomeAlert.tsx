import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  type AuthorisationOutcome,
  CALLBACK_REFUSALS,
  getAuthorisationOutcome,
  OUTCOME_PARAM,
  REFUSAL_PARAM,
} from '#contract/authorisation.ts'
import { platformInfo } from '#contract/platform.ts'
import { DrawnBelow } from '../../components/DrawnBelow.tsx'
import space from '../../components/space.module.css'
import { queryOf } from '../../lib/query.ts'
import { namesOf } from './account-names.ts'

/** Above the accounts, the result of an authorisation after returning from the platform's page; stays until closed. */
export function OutcomeAlert({ children }: { children: ReactNode }) {
  const { alert, isKnown } = useOutcome()
  return (
    <>
      {alert}
      <DrawnBelow isKnown={isKnown}>{children}</DrawnBelow>
    </>
  )
}

function useOutcome(): { alert: ReactNode; isKnown: boolean } {
  const [params, setParams] = useSearchParams()
  const refusal = params.get(REFUSAL_PARAM)
  const id = Number(params.get(OUTCOME_PARAM))
  const outcome = useQuery({
    ...queryOf(getAuthorisationOutcome, { params: { id } }),
    enabled: Number.isInteger(id) && id > 0,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inPlace: true },
  })
  const close = () =>
    setParams(
      (now) => {
        now.delete(OUTCOME_PARAM)
        now.delete(REFUSAL_PARAM)
        return now
      },
      { replace: true },
    )
  const show = (type: 'success' | 'warning' | 'error', title: string, description?: ReactNode) => (
    <Alert
      showIcon
      role="alert"
      type={type}
      title={title}
      description={description}
      closable={{ onClose: close, closeIcon: true, 'aria-label': '关闭' }}
      className={space.above}
    />
  )
  if (refusal !== null && refusal in CALLBACK_REFUSALS) {
    const why = CALLBACK_REFUSALS[refusal as keyof typeof CALLBACK_REFUSALS]
    return { alert: show('error', '授权没有完成', why), isKnown: true }
  }
  if (outcome.error)
    return { alert: show('error', '授权结果没有读到', outcome.error.message || '请求失败'), isKnown: true }
  if (!outcome.data) return { alert: null, isKnown: !outcome.isLoading }
  const { type, title } = headOf(outcome.data)
  return { alert: show(type, title, <Lines outcome={outcome.data} />), isKnown: true }
}

function headOf({ error, platform, accounts, lost, elsewhere }: AuthorisationOutcome) {
  const { name } = platformInfo(platform)
  if (error !== null) return { type: 'error', title: `${name}授权没有完成` } as const
  if (accounts.length === 0) return { type: 'warning', title: `${name}授权完成，但没有可用的账户` } as const
  const type = lost.length + elsewhere.length > 0 ? 'warning' : 'success'
  return { type, title: `${name}授权成功：${accounts.length} 个账户` } as const
}

function Lines({ outcome: { error, accounts, lost, elsewhere } }: { outcome: AuthorisationOutcome }) {
  if (error !== null) return error
  const fresh = accounts.filter((one) => one.is_new)
  const again = accounts.filter((one) => !one.is_new)
  return (
    <>
      {fresh.length > 0 && <div>新授权：{namesOf(fresh)}</div>}
      {again.length > 0 && <div>重新授权：{namesOf(again)}</div>}
      {elsewhere.length > 0 && (
        <div>
          已属于其他广告主，没有变动：{namesOf(elsewhere, ({ adv_name }) => (adv_name ? `，属于${adv_name}` : ''))}
        </div>
      )}
      {lost.length > 0 && <div>这次授权没有包含、不能再使用：{namesOf(lost)}</div>}
    </>
  )
}
