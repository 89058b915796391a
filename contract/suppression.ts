import { z } from 'zod'
import { Id, IdParam, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '屏蔽名单'

export const listSuppression = endpoint({
  method: 'GET',
  path: '/api/suppression/list',
  group,
  summary: '广告主的屏蔽名单：推送前一律去除',
  query: PageQuery.extend({ adv_id: IdParam }),
  data: z.object({
    total: z.int(),
    by_type: z.array(z.object({ type: IdentifierType, count: z.int() })),
    list: z.array(z.object({ type: IdentifierType, value: z.string(), note: z.string(), added_at: Seconds })),
  }),
})
/** One identifier per line. Malformed lines are listed in the answer and not stored. */
export const addSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression',
  group,
  summary: '加入屏蔽名单（逐行）',
  body: z.object({
    adv_id: Id,
    type: IdentifierType,
    lines: z.array(z.string().max(200)).min(1, '请输入标识').max(10_000, '一次最多 10000 行'),
    note: z.string().max(200).default(''),
  }),
  data: z.object({
    added: z.int(),
    duplicate: z.int(),
    malformed: z.array(z.object({ line: z.int(), reason: z.string(), outcome: AnyOutcome })),
  }),
})
export const removeSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression/remove',
  group,
  summary: '移出屏蔽名单',
  body: z.object({ adv_id: Id, type: IdentifierType, values: z.array(z.string().max(200)).min(1).max(10_000) }),
  data: z.object({ removed: z.int() }),
})

/** The attribute whose value withdraws a person's consent; pushes leave out people with such a value. */
export const getConsent = endpoint({
  method: 'GET',
  path: '/api/consent',
  group,
  summary: '以哪个属性的哪些值为不同意',
  query: z.object({ adv_id: IdParam }),
  data: z.object({ attribute: z.string().nullable(), refused_values: z.array(z.string()), refused_people: z.int() }),
})
export const setConsent = endpoint({
  method: 'PUT',
  path: '/api/consent',
  group,
  summary: '设置不同意的属性与值',
  body: z.object({
    adv_id: Id,
    attribute: z.string().nullable(),
    refused_values: z.array(z.string().max(200)).max(50),
  }),
  data: Nothing,
})
