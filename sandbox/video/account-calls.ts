import { timeText } from '../clock.ts'
import type { Parts } from '../parts.ts'
import type { Account } from '../people.ts'
import { PLATFORMS } from '../platforms.ts'
import { advertiserFor, type Interface } from './access.ts'
import type { Body } from './arguments.ts'
import { badRequest, Refusal, success } from './envelope.ts'

const AGENCIES = ['AGENT', 'PLATFORM_ROLE_QIANCHUAN_AGENT']
const INFO_FIELDS = [
  ...['id', 'name', 'company', 'role', 'status', 'industry', 'first_industry_name', 'second_industry_name'],
  ...['create_time', 'reason', 'note'],
]

function paged<T>(given: Body, rows: readonly T[], name: string) {
  const page = given.optionalNumber('page', { least: 1, most: 99_999 }) ?? 1
  const page_size = given.optionalNumber('page_size', { least: 1, most: 100 }) ?? 10
  return {
    [name]: rows.slice((page - 1) * page_size, page * page_size),
    page_info: { page, page_size, total_number: rows.length, total_page: Math.ceil(rows.length / page_size) },
  }
}

/** The accounts that a token covers, and their details. */
export function accountCalls({ people }: Parts): Record<string, Interface> {
  const role = ({ kind }: Account) => (kind === 'ADVERTISER' ? 'ROLE_ADVERTISER' : 'ROLE_LIMITED_ADVERTISER')
  const isUsable = ({ kind }: Account) => ['ADVERTISER', 'QIANCHUAN', 'CC_ADVERTISER'].includes(kind)

  return {
    'GET /open_api/oauth2/advertiser/get/': {
      scopes: [],
      takes: 'query',
      hasQueryToken: true,
      act: ({ token }) =>
        success({
          list: token.accounts
            .flatMap((id) => people.account('video', id) ?? [])
            .filter(({ parent_id }) => parent_id === null)
            .map((account) => ({
              account_id: BigInt(account.id),
              account_name: account.name,
              account_type: account.kind,
              account_role: account.kind,
              account_string_id: account.id,
              is_valid: account.is_valid === 1,
              company_list: [{ customer_company_id: 1, customer_company_name: account.company }],
              advertiser_id: BigInt(account.id),
              advertiser_name: account.name,
              advertiser_role: 1,
            })),
        }),
    },
    'GET /open_api/2/user/info/': {
      scopes: [14, 140],
      takes: 'query',
      act: ({ token }) =>
        success({
          id: BigInt(token.login_id),
          email: 'y***@example.com',
          display_name: people.login('video', token.login_id)?.name ?? '',
          app_id: BigInt(PLATFORMS.video.app.id),
          token_scope_list: token.scopes.map(Number),
          token_api_list: [],
          material_auth_status: false,
        }),
    },
    'GET /open_api/2/advertiser/info/': {
      scopes: [1, 10, 100],
      takes: 'query',
      act: ({ token, given }) => {
        const ids = given.ids('advertiser_ids', 100)
        const fields = given.optionalTexts('fields', 100)
        const unknownField = fields?.find((one) => !INFO_FIELDS.includes(one))
        if (unknownField) throw badRequest(`fields: 未知的字段${unknownField}`)
        const rows = ids.map((id) => {
          const account = people.account('video', advertiserFor(token, id))
          if (!account || !isUsable(account)) throw new Refusal(40002, `${id}不是广告主账户`)
          const all: Record<string, unknown> = {
            id: BigInt(account.id),
            name: account.name,
            company: account.company,
            role: role(account),
            status: account.is_valid ? 'STATUS_ENABLE' : 'STATUS_DISABLE',
            industry: '190402',
            first_industry_name: '生活服务',
            second_industry_name: '零售',
            create_time: timeText(1_700_000_000),
            reason: '',
            note: '',
          }
          return fields ? Object.fromEntries(['id', ...fields].map((name) => [name, all[name]])) : all
        })
        return success(rows)
      },
    },
    'GET /open_api/2/customer_center/advertiser/list/': {
      scopes: [1, 10, 100],
      takes: 'query',
      act: ({ token, given }) => {
        const above = advertiserFor(token, given.id('cc_account_id'))
        const source = given.oneOf('account_source', ['AD', 'QIANCHUAN', 'LOCAL', 'ENTERPRISE'], 'AD')
        const name = given.object('filtering')?.account_name
        const rows = people
          .below('video', above)
          .filter((one) => (one.kind === 'QIANCHUAN') === (source === 'QIANCHUAN'))
          .filter((one) => typeof name !== 'string' || one.name.includes(name))
          .map((one) => ({
            account_id: BigInt(one.id),
            account_name: one.name,
            account_type: 'ADVERTISER',
            advertiser_id: BigInt(one.id),
            advertiser_name: one.name,
            advertiser_type: 'NORMAL',
          }))
        return success(paged(given, rows, 'list'))
      },
    },
    'GET /open_api/2/agent/advertiser/select/': {
      scopes: [11, 110, 1, 10],
      takes: 'query',
      act: ({ token, given }) => {
        const above = advertiserFor(token, given.id('advertiser_id'))
        if (!AGENCIES.includes(people.account('video', above)?.kind ?? ''))
          throw new Refusal(40002, `${above}不是代理商账户`)
        given.object('filtering')
        return success(
          paged(
            given,
            people.below('video', above).map(({ id }) => BigInt(id)),
            'list',
          ),
        )
      },
    },
    'GET /open_api/v1.0/qianchuan/shop/advertiser/list/': {
      scopes: [],
      takes: 'query',
      act: ({ token, given }) => {
        const shop = advertiserFor(token, given.id('shop_id'))
        const ids = people.below('video', shop).map(({ id }) => BigInt(id))
        const { list, page_info } = paged(given, ids, 'list')
        const rows = (list as bigint[]).map((adv_id) => ({ adv_id, extra_permission: [] }))
        return success({ list, adv_id_list: rows, page_info })
      },
    },
  }
}
