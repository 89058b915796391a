import { Flex, Tag } from 'antd'
import type { ReactNode } from 'react'
import styles from './tags.module.css'

/** Words as tags, on as many lines as they take; `children` stand after them. */
export const Tags = ({ words, children }: { words: readonly string[]; children?: ReactNode }) => (
  <Flex wrap gap={4}>
    {words.map((word) => (
      <Tag key={word} className={styles.tag ?? ''}>
        {word}
      </Tag>
    ))}
    {children}
  </Flex>
)
