import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { getControlGroup } from '#contract/control-group.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { queryOf } from '../../lib/query.ts'
import type { Held } from './ControlDialog.tsx'
import { useControlDialog } from './use-control-dialog.tsx'

/** A crowd's control group in words, and the button that sets it. */
export function ControlLine({ crowd }: { crowd: Held }) {
  const { kind, id, adv_id } = crowd
  const { openControl, controlDialog } = useControlDialog()
  const { data } = useQuery({
    ...queryOf(getControlGroup, { query: { kind, id } }),
    meta: { silent: 'optional' },
  })
  return (
    <Flex gap={8} align="center">
      {data && <span>{data.group === null ? '没有设置，发送给全部的人' : `留出 ${data.group.share}% 的人不发送`}</span>}
      <ChangeButton
        changes={adv_id}
        size="small"
        aria-label={data?.group ? '修改对照组' : '设置对照组'}
        onClick={() => openControl(crowd)}
      >
        {data?.group ? '修改' : '设置'}
      </ChangeButton>
      {controlDialog}
    </Flex>
  )
}
