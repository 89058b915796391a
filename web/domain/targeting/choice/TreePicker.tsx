import { ConfigProvider, Empty, Flex, Input, Tree } from 'antd'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { findText, mayBePinyin } from '#contract/find-text.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import text from '../../../components/text.module.css'
import { useReadings } from '../../../lib/readings.ts'
import styles from './choice.module.css'
import { branchesWith, type Finder, marksOf, toggled } from './tree-choice.ts'

const HEIGHT = 300

interface Props {
  name: string
  tree: readonly TagNode[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** Shows what a node leads to, by a click on its name or Enter; without it these open the branch. */
  onOpen?: (node: TagNode) => void
  find?: typeof findText
}

/** A tree with boxes, searched by characters or pinyin. Inputs that are disabled around it only show. */
export function TreePicker({ name, tree, chosen, onChange, onOpen, find = findText }: Props) {
  const { componentDisabled: isReadOnly = false } = ConfigProvider.useConfig()
  const [query, setQuery] = useState('')
  const readings = useReadings(mayBePinyin(query))
  const matcher = useMemo(
    () => (query.trim() === '' ? null : (text: string) => find(text, query, readings)?.from ?? null),
    [query, readings, find],
  )
  const shown = useMemo(() => (matcher ? branchesWith(tree, matcher) : [...tree]), [tree, matcher])
  const rows = useMemo(() => shown.map(rowOf), [shown])
  const marks = useMemo(() => marksOf(tree, chosen), [tree, chosen])
  const [opened, setOpened] = useState<readonly string[]>([])
  const expanded = useMemo(() => (matcher ? branchesOpened(shown, matcher) : [...opened]), [shown, matcher, opened])
  const active = useRef<string | null>(null)
  /** Before antd's tree, which would open the branch or tick the box. */
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !onOpen || isReadOnly || active.current === null) return
    const node = nodeIn(shown, active.current)
    if (!node) return
    event.preventDefault()
    event.stopPropagation()
    onOpen(node)
  }
  return (
    <div className={styles.source}>
      <Input
        allowClear={CLEARABLE}
        value={query}
        aria-label={`搜索${name}`}
        placeholder={`搜索${name}，可用拼音`}
        onChange={(event) => setQuery(event.target.value)}
      />
      {shown.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有符合的${name}`} />
      ) : (
        <div onKeyDownCapture={openByKey}>
          <Tree<Row>
            aria-label={name}
            checkable
            checkStrictly
            selectable={onOpen !== undefined}
            selectedKeys={[]}
            disabled={isReadOnly}
            height={HEIGHT}
            treeData={rows}
            checkedKeys={marks}
            expandedKeys={expanded}
            onExpand={(keys) => setOpened(keys.map(String))}
            onActiveChange={(key) => {
              active.current = key === null ? null : String(key)
            }}
            onCheck={(_, { node }) => onChange(toggled(tree, chosen, node.key))}
            onSelect={(_, { node }) => onOpen?.(node.tag)}
            titleRender={({ tag }) => (
              <Flex justify="space-between" gap={8} className={styles.node}>
                <span className={text.cut}>{tag.label}</span>
                {tag.num !== null && <span className={text.small}>{tag.num}</span>}
              </Flex>
            )}
          />
        </div>
      )}
    </div>
  )
}

/** A node as antd's tree takes it. */
interface Row {
  key: string
  /** Not the name: the browser would show it on hover. */
  title: ''
  tag: TagNode
  children: Row[]
}
const rowOf = (tag: TagNode): Row => ({ key: tag.value, title: '', tag, children: tag.children.map(rowOf) })

function nodeIn(tree: readonly TagNode[], value: string): TagNode | undefined {
  for (const node of tree) {
    const found = node.value === value ? node : nodeIn(node.children, value)
    if (found) return found
  }
  return undefined
}

/** The branches above what was found. */
const branchesOpened = (tree: readonly TagNode[], find: Finder): string[] =>
  tree.flatMap((node) =>
    find(node.label) !== null || node.children.length === 0 ? [] : [node.value, ...branchesOpened(node.children, find)],
  )
