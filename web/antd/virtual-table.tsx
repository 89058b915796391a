import { later } from '../components/later.tsx'

/** A table that draws only the rows on the screen. */
export default later<object>(() => import('antd/es/table/RcTable/VirtualTable').then((file) => file.default))
