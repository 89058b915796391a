import { Button, Tooltip } from 'antd'
import { PLATFORMS } from '#contract/platform.ts'
import type { Authorising } from './use-authorise.tsx'

const OPEN = Object.values(PLATFORMS).filter(({ pushes }) => pushes)

/** A button per platform that takes crowds; it leads to the platform's page. */
export const AuthoriseButtons = ({ adv_id, authorising }: { adv_id: number; authorising: Authorising }) =>
  OPEN.map(({ code, name }) => {
    const refusal = authorising.refusalOf(code)
    const { leaving } = authorising
    return (
      <Tooltip key={code} title={refusal}>
        <Button
          size="small"
          disabled={refusal !== null || (leaving !== null && (leaving.adv_id !== adv_id || leaving.platform !== code))}
          loading={leaving?.adv_id === adv_id && leaving.platform === code}
          onClick={() => authorising.start(adv_id, code)}
        >
          授权{name}账户
        </Button>
      </Tooltip>
    )
  })
