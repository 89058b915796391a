import type { ReactNode } from 'react'
import styles from './drawn-below.module.css'

/**
 * What stands below something whose height only an answer tells. Until `isKnown`, for half a second at most, it has its
 * place and makes its calls, but is not drawn, so that nothing moves on the screen.
 */
export const DrawnBelow = ({ isKnown, children }: { isKnown: boolean; children: ReactNode }) => (
  <div className={isKnown ? styles.below : `${styles.below} ${styles.hidden}`}>{children}</div>
)
