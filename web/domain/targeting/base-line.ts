import type { PackageLine } from '#contract/targeting/packages.ts'

/** A line of a comparison for what a package has beside its targeting. */
export const baseLine = (field: string, label: string, word: string): PackageLine => ({
  ...{ tab: 'base', tabLabel: '基本信息', isWithdrawn: false },
  ...{ field, label, words: [word || '--'] },
})
