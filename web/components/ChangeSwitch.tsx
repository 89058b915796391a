import { Switch, type SwitchProps, Tooltip } from 'antd'
import { type Changes, useReadOnly } from '../lib/read-only.ts'

/** A switch that changes something of an advertiser; members who may only look see it disabled, with the reason. */
export function ChangeSwitch({ changes, ...rest }: Omit<SwitchProps, 'disabled'> & { changes: Changes }) {
  const refusal = useReadOnly()(changes)
  return (
    <Tooltip title={refusal}>
      <Switch disabled={refusal !== null} {...rest} />
    </Tooltip>
  )
}
