import type { PaginationProps } from 'antd'
import { afterPage, useAfterPage } from '../components/later.tsx'
import styles from './pagination.module.css'

const PAGINATION = afterPage(() => import('antd/es/pagination'))

/** The pages below a table; their room is kept until their code has arrived. */
export default function Pagination(props: PaginationProps) {
  const loaded = useAfterPage(PAGINATION)
  if (loaded) return <loaded.default {...props} />
  // antd's own class sets the margin.
  const size = props.size === 'small' ? styles.small : styles.room
  return <div aria-hidden className={`ant-pagination ${size} ${props.className ?? ''}`} />
}
