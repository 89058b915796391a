import { useConfirm } from '../../components/use-confirm.ts'
import { mostlyMalformed, type UploadItem } from './items.ts'

const NAMED = 3

/** Asks before files are submitted of which more than half of the lines are malformed; otherwise submits at once. */
export function useAskMalformed() {
  const confirm = useConfirm()
  return (items: readonly UploadItem[], submit: () => void) => {
    const bad = mostlyMalformed(items)
    if (bad.length === 0) return submit()
    confirm({
      title: '超过一半的行无效，仍要提交吗？',
      content: (
        <>
          {bad.slice(0, NAMED).map(({ id, name, report }) => (
            <div key={id}>
              「{name}」：
              {report
                ? `${report.lines.toLocaleString('en')} 行中 ${report.malformed.toLocaleString('en')} 行无效`
                : '抽查的行中超过一半无效'}
            </div>
          ))}
          {bad.length > NAMED && <div>等 {bad.length} 个文件</div>}
          <div>请检查数据类型与标识所在的列；无效行不会计入人群。</div>
        </>
      ),
      okText: '仍要提交',
      onOk: submit,
    })
  }
}
