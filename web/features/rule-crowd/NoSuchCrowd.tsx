import { Result } from 'antd'
import { Id } from '#contract/common.ts'
import { RESTORE_DAYS } from '#contract/deleted.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { embedding } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'

/** The crowd id in an address; null if it is malformed. */
export const crowdIdIn = (text: string | undefined): number | null =>
  /^\d+$/.test(text ?? '') ? (Id.safeParse(Number(text)).data ?? null) : null

/** In a frame of another site there is no list. */
export const BackToList = () => (embedding() ? null : <LinkButton to={paths.assets()}>返回列表</LinkButton>)

/** Shown for a malformed crowd id, and for one the server does not know. */
export const NoSuchCrowd = () => (
  <Result
    status="404"
    title="没有这个人群"
    subTitle={`可能链接有误，或人群已被删除${embedding() ? '' : `；${RESTORE_DAYS} 天内删除的可在人群资产的「最近删除」里恢复`}。`}
    extra={<BackToList />}
  />
)
