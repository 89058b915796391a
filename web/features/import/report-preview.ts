import type { ComparedReports } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'

export interface Warned {
  title: string
  /** Examples, and what to do. */
  lines: string[]
}

const accountOf = (account: string) => (account === '' ? '（文件没有账户）' : `账户 ${account}`)
const beyond = (all: number, shown: number) => (all > shown ? ' 等' : '')

/** What somebody should know of a file of reports before it is imported, as sentences. */
export function reportWarnings({ unlinked, without_plan, replaced }: ComparedReports): Warned[] {
  const warned: Warned[] = []
  if (replaced.days > 0) {
    const shown = replaced.examples.map(({ date, account, stored, in_file, gone, gone_plans }) => {
      const names = `${gone_plans.join('、')}${beyond(gone, gone_plans.length)}`
      return `${date} ${accountOf(account)}：已存入 ${formatCount(stored)} 个计划，文件中 ${formatCount(in_file)} 个；不再计入：${names}`
    })
    const rest = replaced.days - shown.length
    warned.push({
      title: `${formatCount(replaced.days)} 天已存入的数据会被整天替换，其中共 ${formatCount(replaced.plans)} 个计划文件中没有，不再计入`,
      lines: [
        ...shown,
        ...(rest > 0 ? [`另有 ${formatCount(rest)} 天`] : []),
        '只补充部分计划时，请把这些天的全部计划放在一个文件里；撤销这次导入可恢复。',
      ],
    })
  }
  if (unlinked.plans > 0) {
    const shown = unlinked.examples.map(({ account, plan, campaign }) =>
      [plan, account && accountOf(account), campaign && `活动 ${campaign}`].filter(Boolean).join('，'),
    )
    warned.push({
      title: `${formatCount(unlinked.plans)} 个平台计划没有关联到任何活动，它们的 ${formatCount(unlinked.rows)} 行会存入，关联后才显示`,
      lines: [
        ...shown,
        ...(unlinked.plans > shown.length ? [`另有 ${formatCount(unlinked.plans - shown.length)} 个计划`] : []),
        '可以先导入，再在「平台报表」的「未关联的平台计划」中关联。',
      ],
    })
  }
  if (without_plan > 0) {
    warned.push({
      title: `${formatCount(without_plan)} 行没有平台计划 ID，会存入，但不属于任何活动`,
      lines: ['请指定哪一列是计划；活动按平台账户 ID 与平台计划 ID 取数。'],
    })
  }
  return warned
}

/** How much of the file was looked at. */
export const lookedAt = ({ rows, is_whole }: ComparedReports): string =>
  is_whole
    ? `已比对文件的全部 ${formatCount(rows)} 行`
    : `只比对了文件的前 ${formatCount(rows)} 行，其余的行没有看（可能补上缺少的计划，也可能还有别的），实际以导入报告为准`
