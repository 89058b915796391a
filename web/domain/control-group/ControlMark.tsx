import { Tooltip } from 'antd'
import text from '../../components/text.module.css'

/** Says in a list that a crowd's pushes hold out some of its people. */
export const ControlMark = ({ share }: { share: number | null }) =>
  share !== null && (
    <Tooltip title={`推送时留出 ${share}% 的人不发送，作为对照`}>
      <div className={`${text.small} ${text.nowrap}`}>对照组 {share}%</div>
    </Tooltip>
  )
