import type { PackageLine } from '#contract/targeting/packages.ts'
import type { LeftOutWords } from '#contract/targeting/there.ts'

/** Lines of a comparison for what a package restricts on its platform alone. */
export const onlyThereLines = (leftOut: readonly LeftOutWords[]): PackageLine[] =>
  leftOut.map(({ field, label, words }) => ({
    ...{ tab: 'there', tabLabel: '只在平台上', isWithdrawn: false },
    ...{ field: `there.${field}`, label: `${label}（仅平台）`, words },
  }))
