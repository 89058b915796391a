import text from '../../../components/text.module.css'
import styles from '../tag.module.css'

/** Below a condition: why its value cannot be entered. */
export const ClosedField = ({ reason }: { reason: string }) => (
  <div role="status" className={`${text.problem} ${styles.wholeRow}`}>
    {reason}
  </div>
)
