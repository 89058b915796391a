import { Flex, Table, Tag } from 'antd'
import { type ComparedLine, type ComparedWord, compareLines } from '#contract/targeting/compare.ts'
import type { PackageLine } from '#contract/targeting/packages.ts'
import styles from './compare-table.module.css'

const Words = ({ words }: { words: readonly ComparedWord[] }) => {
  if (words.length === 0) return <span className={styles.none}>不限</span>
  return (
    <Flex wrap gap={4}>
      {words.map(({ word, isOnly }) => (
        <Tag key={word} color={isOnly ? 'orange' : 'default'} variant="outlined" className={styles.tag ?? ''}>
          <span className={styles.word}>{word}</span>
          {isOnly && <span className="visually-hidden">（仅此一侧）</span>}
        </Tag>
      ))}
    </Flex>
  )
}

interface Props {
  left: { title: string; lines: readonly PackageLine[] }
  right: { title: string; lines: readonly PackageLine[] }
  /** Leaves out what both have alike. */
  onlyDifferent?: boolean
}

/** Two packages in words side by side, what differs marked. */
export function CompareTable({ left, right, onlyDifferent = false }: Props) {
  const all = compareLines(left.lines, right.lines)
  const lines = onlyDifferent ? all.filter(({ isDifferent }) => isDifferent) : all
  return (
    <Table<ComparedLine>
      size="small"
      bordered
      aria-label="对比"
      rowKey="label"
      dataSource={lines}
      pagination={false}
      tableLayout="fixed"
      locale={{ emptyText: all.length === 0 ? '两者都不限：面向所有人' : '没有不同' }}
      rowClassName={({ isDifferent }) => (isDifferent ? (styles.isDifferent ?? '') : '')}
      columns={[
        {
          title: '条件',
          key: 'label',
          width: 190,
          render: (_, { tabLabel, label }) => (
            <>
              <div>{label}</div>
              <span className={styles.tab}>{tabLabel}</span>
            </>
          ),
        },
        { title: left.title, key: 'left', render: (_, line) => <Words words={line.left} /> },
        { title: right.title, key: 'right', render: (_, line) => <Words words={line.right} /> },
        {
          title: '结果',
          key: 'different',
          width: 60,
          render: (_, { isDifferent }) => (isDifferent ? '不同' : <span className={styles.tab}>相同</span>),
        },
      ]}
    />
  )
}
