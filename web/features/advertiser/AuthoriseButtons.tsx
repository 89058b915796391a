import { Button, Tooltip } from 'antd'
import { PLATFORM_CODES, type PlatformCode, platformInfo } from '#contract/platform.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import type { Authorising } from './use-authorise.tsx'

interface Props {
  adv_id: number
  authorising: Authorising
  platforms?: readonly PlatformCode[]
}

/** A button for each platform, which opens the platform's OAuth page. */
export function AuthoriseButtons({ adv_id, authorising, platforms = PLATFORM_CODES }: Props) {
  const readOnly = useReadOnly()(adv_id)
  return platforms.map((code) => {
    const refusal = readOnly ?? authorising.refusalOf(code)
    const { leaving } = authorising
    return (
      <Tooltip key={code} title={refusal}>
        <Button
          size="small"
          disabled={refusal !== null || (leaving !== null && (leaving.adv_id !== adv_id || leaving.platform !== code))}
          loading={leaving?.adv_id === adv_id && leaving.platform === code}
          onClick={() => authorising.start(adv_id, code)}
        >
          授权{platformInfo(code).name}账户
        </Button>
      </Tooltip>
    )
  })
}
