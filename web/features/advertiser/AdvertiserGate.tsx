import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from '../../components/LoadError.tsx'
import { later } from '../../components/later.tsx'
import space from '../../components/space.module.css'
import { type Authority, useAuthority } from './use-authority.ts'

const Unauthorised = later(() => import('./Unauthorised.tsx').then((file) => file.Unauthorised))

interface Props {
  /** What is hidden, as in 没有权限，无法查看或新建{module}. */
  module: string
  authority: Authority
  /** Always open. */
  isOpen?: boolean
  /** Shown instead of the panel; null for a button. */
  fallback?: ReactNode
  children: ReactNode
}

/** Hides what the advertiser's authority does not cover. */
export function AdvertiserGate({ module, authority, isOpen = false, fallback, children }: Props) {
  const { isHeld, platform, error, refetch } = useAuthority(authority)
  if (isOpen || isHeld) return children
  if (fallback !== undefined) return fallback
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (isHeld === undefined) return <Skeleton active className={space.skeleton} />
  return <Unauthorised module={module} {...(platform === null ? {} : { platform })} />
}
