import type { Parts } from '../parts.ts'
import type { Account } from '../people.ts'
import type { Context, Interface } from './access.ts'
import { Refusal, success } from './envelope.ts'

const FIELDS = [
  ...['account_id', 'corporation_name', 'daily_budget', 'mdm_id', 'mdm_name', 'system_industry_id'],
  ...['corporate_brand_name', 'memo', 'system_status', 'reject_message', 'is_adx', 'business_alias', 'contact_person'],
  ...['agency_account_id', 'operators'],
]
const MODES = ['PAGINATION_MODE_NORMAL', 'PAGINATION_MODE_CURSOR'] as const
const ANY = ['ads_management', 'ads_insights', 'account_management', 'audience_management', 'user_actions']

/** One page of rows, as in every list of this platform. */
export function paged<T>({ given }: Context, rows: readonly T[], mostPages = 99_999) {
  const page = given.number('page', 1, mostPages) ?? 1
  const page_size = given.number('page_size', 1, 100) ?? 10
  return {
    list: rows.slice((page - 1) * page_size, page * page_size),
    page_info: { page, page_size, total_number: rows.length, total_page: Math.ceil(rows.length / page_size) },
  }
}

/** The account named in a call, if the token covers it. */
export function accountFor({ given, token }: Context, missing: 50035 | 18001 = 50035): string {
  const id = given.id('account_id')
  if (id === undefined) throw new Refusal(missing, ['account_id'])
  if (!token.accounts.includes(id)) throw new Refusal(12203, ['account_id'])
  return id
}

/** The accounts that a token covers. */
export function advertiserCalls({ people }: Parts): Record<string, Interface> {
  const row = (account: Account, fields: readonly string[] | undefined) => {
    const all: Record<string, unknown> = {
      account_id: BigInt(account.id),
      corporation_name: account.company,
      daily_budget: 0,
      mdm_id: 0,
      mdm_name: account.company,
      system_industry_id: 21474836480,
      corporate_brand_name: account.name,
      memo: account.name,
      system_status: account.is_valid ? 'CUSTOMER_STATUS_NORMAL' : 'CUSTOMER_STATUS_FROZEN',
      reject_message: '',
      is_adx: false,
      business_alias: '',
      contact_person: '',
      agency_account_id: BigInt(account.parent_id ?? 0),
      operators: [],
    }
    return fields ? Object.fromEntries(fields.map((name) => [name, all[name]])) : all
  }

  function get(context: Context) {
    const { given, token, generation } = context
    const fields = given.fields(FIELDS)
    const mode = given.oneOf('pagination_mode', MODES)
    if (generation === 3) {
      if (!fields) throw new Refusal(18001, ['fields'])
      if (!mode) throw new Refusal(18001, ['pagination_mode'])
      if (given.number('page_size', 1, 100) === undefined) throw new Refusal(18001, ['page_size'])
    }
    const [own] = token.accounts
    const isAgency = people.account('social', own ?? '')?.kind === 'AGENCY'
    const account_id = given.id('account_id')
    if (account_id === undefined && generation === 3 && !isAgency) throw new Refusal(18001, ['account_id'])
    if (account_id !== undefined && !token.accounts.includes(account_id)) throw new Refusal(12203, ['account_id'])
    const ids = account_id === undefined ? token.accounts : [account_id]
    const rows = ids
      .flatMap((id) => people.account('social', id) ?? [])
      .filter(({ kind }) => account_id !== undefined || kind !== 'AGENCY')
      .map((account) => row(account, fields))
    return success(cut(context, rows, mode))
  }

  function relations(context: Context) {
    const { given, token } = context
    const mode = given.oneOf('pagination_mode', MODES)
    if (!mode) throw new Refusal(18001, ['pagination_mode'])
    const above = people.account('social', token.accounts[0] ?? '')
    if (above?.kind !== 'ORGANIZATION') throw new Refusal(71003)
    const account_id = given.id('account_id')
    given.oneOf('advertiser_type', ['DIRECT_ADVERTISER', 'SUB_ADVERTISER'])
    given.id('business_unit_id')
    const page = given.number('page', 1, 1000) ?? 1
    const page_size = given.number('page_size', 1, 100) ?? 10
    if (page * page_size > 1000) throw new Refusal(18003, ['page', 'page_size'])
    const rows = people
      .below('social', above.id)
      .filter(({ id }) => account_id === undefined || account_id === above.id || id === account_id)
      .map(({ id, company }) => ({
        account_id: BigInt(id),
        corporation_name: company,
        is_bid: true,
        is_mp: false,
        is_adx: false,
        comment_list: [],
      }))
    return success(cut(context, rows, mode))
  }

  function cut<T>(context: Context, rows: readonly T[], mode: (typeof MODES)[number] | undefined) {
    if (mode !== 'PAGINATION_MODE_CURSOR') return paged(context, rows, 1000)
    const { given } = context
    const page_size = given.number('page_size', 1, 100) ?? 10
    const start = Number(given.text('cursor') || 0)
    if (!Number.isInteger(start)) throw new Refusal(31002, ['cursor'])
    const end = start + page_size
    const has_more = end < rows.length
    return {
      list: rows.slice(start, end),
      cursor_page_info: { page_size, total_number: rows.length, has_more, cursor: has_more ? String(end) : '' },
    }
  }

  return {
    'GET advertiser/get': { scopes: ANY, act: get },
    'GET organization_account_relation/get': { scopes: ANY, act: relations },
  }
}
