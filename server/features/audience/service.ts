import type { CntType, CustomChild } from '#contract/audience.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { childrenOf } from './children.ts'
import type { AudienceDeps } from './deps.ts'
import { audiencePolling } from './polling.ts'
import { quotaOf } from './quota.ts'
import { childRemoval } from './remove-child.ts'

/** The audiences of crowds on platform accounts: shown, polled and removed. */
export function audienceService(deps: AudienceDeps) {
  const { db } = deps
  return {
    ...audiencePolling(deps),
    ...childRemoval(deps),

    quota: (viewer: Viewer, account_id: number, cnt_type: CntType) => quotaOf(db, viewer, account_id, cnt_type),

    async ruleChildren(viewer: Viewer, id: number): Promise<{ list: CustomChild[] }> {
      const crowd = await db
        .selectFrom('people')
        .select('adv_id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!crowd || !viewer.isMember(crowd.adv_id)) throw new AppError('notFound', { what: '人群' })
      return { list: (await childrenOf(db, 'rule', [id])).get(id) ?? [] }
    },
  }
}
export type AudienceService = ReturnType<typeof audienceService>
