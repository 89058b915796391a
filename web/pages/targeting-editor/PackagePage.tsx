import { Skeleton } from 'antd'
import { Navigate, useLocation, useParams } from 'react-router'
import { COMBINED_TAB, PLATFORM_CODES, PLATFORMS, platformInfo } from '#contract/platform.ts'
import { DEFAULT_PACKAGE_CODE } from '#contract/targeting/package-codes.ts'
import { later } from '../../components/later.tsx'
import { NoSuchPackage } from './PackageEditor.tsx'

const WAITING = <Skeleton active paragraph={{ rows: 12 }} />
const SocialEditorPage = later(() => import('./SocialEditorPage.tsx').then((file) => file.SocialEditorPage), WAITING)
const TargetingEditorPage = later(
  () => import('./TargetingEditorPage.tsx').then((file) => file.TargetingEditorPage),
  WAITING,
)

/** How the addresses of the social platform's packages name it: `cowd-assets/gdt-cowd/edit/{id}`. */
const SOCIAL = 'gdt-cowd'

/**
 * A package of a platform, at each of its addresses. Older links name the platform by another number, by a product, or not
 * at all; they lead to the address of today.
 */
export default function PackagePage() {
  const { platform, product, id = '' } = useParams()
  const { pathname, search } = useLocation()
  const isWatched = pathname.includes('/watch/')
  if (product === SOCIAL) return <SocialEditorPage isWatched={isWatched} />
  const code = platformNow(platform, product)
  if (code === undefined) return <NoSuchPackage tab={COMBINED_TAB} />
  if (String(code) === platform) return <TargetingEditorPage />
  const query = new URLSearchParams(search)
  if (isWatched) query.set('mode', 'read')
  const rest = query.size > 0 ? `?${query}` : ''
  const way = code === PLATFORMS.social.code ? `cowd-assets/${SOCIAL}/edit` : `assets/crowd/${code}`
  return <Navigate to={`/cowd-manage/${way}/${id}${rest}`} replace />
}

/** The number of the platform that an address means. */
function platformNow(number: string | undefined, product: string | undefined) {
  if (product !== undefined) {
    return PLATFORM_CODES.find((code) => platformInfo(code).oldLinkProducts.some((old) => product === `${old}-cowd`))
  }
  if (number === undefined) return DEFAULT_PACKAGE_CODE
  return (
    PLATFORM_CODES.find((code) => String(code) === number) ??
    PLATFORM_CODES.find((code) => platformInfo(code).oldLinkNumbers.some((old) => String(old) === number))
  )
}
