import type { DropDownProps } from 'antd'
import { later } from '../components/later.tsx'

/** Further levels of a breadcrumb, and further choices of rows. */
export default later<DropDownProps>(() => import('antd/es/dropdown').then((file) => file.default))
