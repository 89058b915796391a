import type { DataOf } from '#contract/endpoint.ts'
import type { addSuppression } from '#contract/suppression.ts'
import { formatCount } from '../../lib/format.ts'

/** What became of the pasted lines that name something; empty when none does. */
export const additionWords = ({
  added,
  listed,
  duplicate,
}: Pick<DataOf<typeof addSuppression>, 'added' | 'listed' | 'duplicate'>): string =>
  [
    ...(added > 0 ? [`已加入 ${formatCount(added)} 个`] : []),
    ...(listed > 0 ? [`${formatCount(listed)} 个之前已在名单中`] : []),
    ...(duplicate > 0 ? [`粘贴内容中重复 ${formatCount(duplicate)} 个`] : []),
  ].join('，')
