import { Table } from 'antd'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { Tags } from '../../components/Tags.tsx'

interface Change {
  label: string
  words: readonly string[]
  now: readonly string[]
  reason_outcome: AnyOutcome
}

const Words = ({ words }: { words: readonly string[] }) => (words.length === 0 ? '--' : <Tags words={words} />)

/** What a copy leaves out or has otherwise, and why. */
export const CopyChanges = ({ changes }: { changes: readonly Change[] }) => (
  <Table<Change>
    size="small"
    aria-label="不能原样带过去的条件"
    rowKey={(change) => change.label + change.words.join()}
    dataSource={[...changes]}
    pagination={false}
    columns={[
      { title: '条件', dataIndex: 'label', width: 110 },
      { title: '不带过去', key: 'words', render: (_, { words }) => <Words words={words} /> },
      { title: '改为', key: 'now', width: 120, render: (_, { now }) => <Words words={now} /> },
      { title: '原因', key: 'reason', width: 200, render: (_, { reason_outcome }) => sentenceOf(reason_outcome) },
    ]}
  />
)
