import { Flex } from 'antd'
import styles from './text.module.css'

/** A message with a second line that says more; without one just the message. */
export const TwoLines = ({ text, more }: { text: string; more?: string }) =>
  more ? (
    <Flex vertical component="span">
      <span>{text}</span>
      <span className={styles.secondary}>{more}</span>
    </Flex>
  ) : (
    text
  )
