import type { TabsProps } from 'antd'
import { later } from '../components/later.tsx'

/** In the head of a card. */
export default later<TabsProps>(() => import('antd/es/tabs').then((file) => file.default))
