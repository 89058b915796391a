import type { NotificationInstance } from 'antd/es/notification/interface'
import type useNotification from 'antd/es/notification/useNotification'
import { afterPage } from '../components/later.tsx'
import { latePopups } from './late-popups.tsx'

/** Notices in a corner of the page. */
export default latePopups<Parameters<typeof useNotification>[0], NotificationInstance>(
  afterPage(() => import('antd/es/notification/useNotification').then((file) => file.default)),
  ['success', 'error', 'info', 'warning', 'open', 'destroy'],
)
