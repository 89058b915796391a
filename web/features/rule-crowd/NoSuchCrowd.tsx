import { Button, Result } from 'antd'
import { Link } from 'react-router'
import { Id } from '#contract/common.ts'
import { paths } from '../../app/paths.ts'

/** The id in an address; null where it can be no crowd's. */
export const crowdIdIn = (text: string | undefined): number | null =>
  /^\d+$/.test(text ?? '') ? (Id.safeParse(Number(text)).data ?? null) : null

export const BackToList = () => (
  <Link to={paths.assets()}>
    <Button tabIndex={-1}>返回列表</Button>
  </Link>
)

export const NoSuchCrowd = () => <Result status="404" title="没有这个人群" extra={<BackToList />} />
