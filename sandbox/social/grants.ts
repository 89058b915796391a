import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import { filtersIn } from './filtering.ts'
import { codeAt, codesAt, eachAt, idAt, listAt, objectAt } from './values.ts'

const SCOPES = ['audience_management', 'ads_management', 'user_actions']
export const MAY_TARGET = 'GRANT_PERMISSION_TYPE_TARGET'
const PERMISSIONS = [MAY_TARGET, 'GRANT_PERMISSION_TYPE_INSIGHT']
const ONLY_TYPE = 'GRANT_TYPE_BUSINESS'
/** The other value exists, but is no longer taken. */
const ONLY_SCOPE = 'GRANT_SCOPE_TYPE_ACCOUNT'
const SPEC = 'grant_spec.grant_to_business_spec'

interface Grant {
  audience_id: string
  account_id: string
  business_id: string
  permissions: string
}

/** Lets other accounts use audiences. No call takes that back. */
export function grantCalls({ db, people, clock }: Parts): Record<string, Interface> {
  function ownAudience(account_id: string, id: string): string {
    const row = db.one<{ account_id: string }>(
      'SELECT account_id FROM social_audience WHERE id = ? AND NOT is_deleted',
      id,
    )
    if (!row) throw new Refusal(50005, ['audience_id_list'], id)
    if (row.account_id !== account_id) throw new Refusal(50015, ['audience_id_list'], id)
    return id
  }

  function add(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context)
    const list = given.list('audience_id_list')
    if (!list) throw new Refusal(18001, ['audience_id_list'])
    const audiences = eachAt(list, 'audience_id_list', { most: 20 }, idAt).map((id) => ownAudience(account_id, id))
    if (given.oneOf('grant_type', [ONLY_TYPE]) === undefined) throw new Refusal(18001, ['grant_type'])
    const spec = objectAt(given.json('grant_spec') ?? null, 'grant_spec', ['grant_to_business_spec'])
    const to = objectAt(spec.grant_to_business_spec ?? null, SPEC, [
      ...['grant_business_id', 'grant_scope_type', 'grant_business_permission', 'grant_account_permission'],
    ])
    if (to.grant_business_id === undefined) throw new Refusal(18001, [`${SPEC}.grant_business_id`])
    const business_id = idAt(to.grant_business_id, `${SPEC}.grant_business_id`)
    codeAt(to.grant_scope_type ?? null, `${SPEC}.grant_scope_type`, [ONLY_SCOPE])
    if (to.grant_business_permission !== undefined) permissionsAt(to.grant_business_permission, SPEC, [])
    const receivers = listAt(to.grant_account_permission ?? [], `${SPEC}.grant_account_permission`, { most: 100 }).map(
      (one, no) => {
        const path = `${SPEC}.grant_account_permission[${no}]`
        const permissions = permissionsAt(one, path, ['account_id'])
        const receiver = idAt(objectAt(one, path, ['account_id', ...PERMISSION]).account_id ?? null, path)
        if (!people.account('social', receiver) || receiver === account_id) throw new Refusal(12201, [path], receiver)
        return { receiver, permissions }
      },
    )
    for (const audience of audiences) {
      for (const { receiver, permissions } of receivers) {
        const { changes } = db.run(
          'INSERT INTO social_grant VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
          ...[audience, receiver, business_id, permissions.join(' '), clock.now()],
        )
        if (changes === 0) throw new Refusal(50027, ['audience_id_list'], audience)
      }
    }
    return success(null)
  }

  function get(context: Context): Answer {
    const account_id = accountFor(context)
    const filters = filtersIn(context, { audience_id: { operators: ['EQUALS'], most: 100 } }, 1)
    const ids = filters[0]?.values
    const found = db
      .all<Grant>(
        `SELECT g.* FROM social_grant g JOIN social_audience a ON a.id = g.audience_id
         WHERE a.account_id = ? ORDER BY g.made_at, g.audience_id, g.account_id`,
        account_id,
      )
      .filter(({ audience_id }) => ids?.includes(audience_id) ?? true)
    const { list, page_info } = paged(context, found)
    return success({
      list: list.map(({ audience_id, account_id: receiver, business_id, permissions }) => ({
        audience_id: BigInt(audience_id),
        grant_type: ONLY_TYPE,
        grant_spec: {
          grant_to_business_spec: {
            grant_business_id: BigInt(business_id),
            grant_scope_type: ONLY_SCOPE,
            grant_account_permission: [
              { account_id: BigInt(receiver), grant_permission_type_list: permissions.split(' ') },
            ],
          },
        },
      })),
      page_info,
    })
  }

  return {
    'POST audience_grant_relations/add': { scopes: SCOPES, isStrict: true, act: add },
    'GET audience_grant_relations/get': { scopes: SCOPES, isStrict: true, act: get },
  }
}

const PERMISSION = ['grant_permission_type_list']
function permissionsAt(value: Parameters<typeof objectAt>[0], path: string, more: readonly string[]): string[] {
  const { grant_permission_type_list: list } = objectAt(value, path, [...PERMISSION, ...more])
  return codesAt(list ?? null, `${path}.grant_permission_type_list`, PERMISSIONS)
}
