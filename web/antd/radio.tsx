import type { RadioProps } from 'antd'
import { later } from '../components/later.tsx'

/** In a table of which one row is chosen. */
export default later<RadioProps>(() => import('antd/es/radio').then((file) => file.default))
