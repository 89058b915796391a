import { WarningFilled } from '@ant-design/icons'
import { Button, Flex, Result } from 'antd'
import { actionOf, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { type CallError, UNREACHED } from '../../lib/call.ts'

/** A file that cannot be previewed: another file helps, and the same again only where the reason says so. */
export function PreviewFailed(props: { error: CallError; onRetry: () => unknown; onOtherFile: () => void }) {
  const { error, onRetry, onOtherFile } = props
  const { outcome, code } = error
  // Checked as an outcome by the schema, which cannot name its own type there.
  const cause = outcome?.code === 'fault' ? (outcome.params.cause as AnyOutcome | undefined) : undefined
  const mayRetry = code === UNREACHED || (outcome !== null && actionOf(outcome) === 'retry')
  return (
    <Result
      status="warning"
      icon={<WarningFilled />}
      title="无法读取这个文件"
      // The message begins with what the title says.
      subTitle={cause ? sentenceOf(cause) : error.message || '请求失败'}
      extra={
        <Flex gap={8} justify="center">
          {mayRetry && <Button onClick={() => onRetry()}>重试</Button>}
          <Button type="primary" onClick={onOtherFile}>
            换一个文件
          </Button>
        </Flex>
      }
    />
  )
}
