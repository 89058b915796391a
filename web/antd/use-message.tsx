import type { MessageInstance } from 'antd/es/message/interface'
import type useMessage from 'antd/es/message/useMessage'
import { afterPage } from '../components/later.tsx'
import { latePopups } from './late-popups.tsx'

/** Short words at the top of the page. */
export default latePopups<Parameters<typeof useMessage>[0], MessageInstance>(
  afterPage(() => import('antd/es/message/useMessage').then((file) => file.default)),
  ['info', 'success', 'error', 'warning', 'loading', 'open', 'destroy'],
)
