import { Result } from 'antd'
import { Id } from '#contract/common.ts'
import { paths } from '../../app/paths.ts'
import { LinkButton } from '../../components/LinkButton.tsx'

/** The id in an address; null where it can be no crowd's. */
export const crowdIdIn = (text: string | undefined): number | null =>
  /^\d+$/.test(text ?? '') ? (Id.safeParse(Number(text)).data ?? null) : null

export const BackToList = () => <LinkButton to={paths.assets()}>返回列表</LinkButton>

export const NoSuchCrowd = () => <Result status="404" title="没有这个人群" extra={<BackToList />} />
