import type { CollapseProps } from 'antd'
import { later } from '../components/later.tsx'

/** In a colour picker, of which buttons only need a computation. */
export default later<CollapseProps>(() => import('antd/es/collapse').then((file) => file.default))
