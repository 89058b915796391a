import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { type PlatformCode, platformInfo } from '#contract/platform.ts'
import type { RegionPlan } from '#contract/region-plan.ts'
import { type CrowdRow, isCustomCrowd } from '#contract/targeting/five-tab/crowd-row.ts'
import { keywordKey } from '#contract/targeting/packages.ts'
import { type TagQuestion, tagQuestion } from '#contract/targeting/tag-filter.ts'
import type { TagType } from '#contract/targeting/tag-types.ts'
import type { Filtering, listTargetingCrowds, TagNode, Tags } from '#contract/targeting-tags.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { accountAuthorisations, closedReason } from '../../platforms/account-state.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../../platforms/audience-platform.ts'
import type { TargetingDictionaries } from '../../platforms/targeting-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { type Copy, type DictionaryCopies, within } from './copies.ts'

interface Deps {
  db: Kysely<Database>
  copies: DictionaryCopies
  dictionariesOf(code: PlatformCode): TargetingDictionaries | null
  session(account_id: number): Promise<AccountSession>
  regionPlans(adv_id: number, platform: PlatformCode): Promise<RegionPlan[]>
}

/** Trees are the platform's, and change rarely. */
const TREE_AGE_S = 86_400
/** Crowds are the account's own, and new ones appear every day. */
const CROWDS_AGE_S = 600
/** A person waits this long for a search. */
const SEARCH_S = 10

export interface TagsAsked {
  advertiser_id: number
  type: TagType | TagType[]
  filtering?: z.output<typeof Filtering> | undefined
}
type Tree = Extract<
  TagQuestion,
  { type: 'REGION' | 'BUSINESS_DISTRICT' | 'INTENTION' | 'BEHAVIOR' | 'INTEREST' | 'AWEME' }
>
type Search = Extract<TagQuestion, { asked: unknown }>
const isTree = (question: Tree | Search): question is Tree => !('asked' in question)

/** What the pickers of targeting show: the platform's trees and searches, and the crowds of an account. */
export function targetingDictionaryService({ db, copies, dictionariesOf, session, regionPlans }: Deps) {
  async function mustFindAccount(viewer: Viewer, account_id: number) {
    const account = await db
      .selectFrom('platform_account')
      .select(['id', 'adv_id', 'platform', 'name', 'login_id'])
      .where('id', '=', account_id)
      .executeTakeFirst()
    if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
    return { ...account, platform: account.platform as PlatformCode }
  }

  async function mustReach(viewer: Viewer, account_id: number) {
    const account = await mustFindAccount(viewer, account_id)
    const dictionaries = dictionariesOf(account.platform)
    if (!dictionaries) throw new AppError('badInput', { reason: outcome('targeting_platform_local') })
    if (account.login_id === null) {
      throw new AppError('platformClosed', { reason: outcome('account_without_login', { account: account.name }) })
    }
    return { ...account, dictionaries }
  }
  type Account = Awaited<ReturnType<typeof mustReach>>

  /** Why the account must be authorised again; null where another scope is what it needs. */
  const closed = async (id: number) =>
    closedReason(
      await accountAuthorisations(db)
        .select('platform_account.name')
        .where('platform_account.id', '=', id)
        .executeTakeFirstOrThrow(),
    )

  /** What goes wrong on the platform, as an answer to the caller. */
  async function onPlatform<T>({ id, platform }: Account, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error
      if (error.kind === 'unauthorised') {
        throw new AppError('platformClosed', { reason: (await closed(id)) ?? error.outcome })
      }
      // Refused before the platform was asked.
      if (error.kind === 'refused' && error.code === null) throw new AppError('badInput', { reason: error.outcome })
      throw new AppError('platformRefused', { platform: platformInfo(platform).name, reason: error.outcome })
    }
  }

  function treeOf(account: Pick<Account, 'id' | 'platform' | 'dictionaries'>, question: Tree): Promise<Copy<TagNode>> {
    const { dictionaries, id, platform } = account
    const read = async (signal: AbortSignal) => {
      const [by, on] = [await session(id), hooks(signal)]
      switch (question.type) {
        case 'REGION':
          return dictionaries.regions(by, on)
        case 'BUSINESS_DISTRICT':
          return mustHave(dictionaries.businessDistricts)(by, on)
        case 'INTENTION':
          return mustHave(dictionaries.intentions)(by, on)
        case 'BEHAVIOR':
          return dictionaries.categories(by, 'behaviour', question.window, on)
        case 'INTEREST':
          return dictionaries.categories(by, 'interest', question.window, on)
        case 'AWEME':
          return mustHave(dictionaries.creatorCategories)(by, question.behaviors, on)
      }
    }
    const wanted = { key: treeKey(platform, question), kin: `${platform} ${question.type} ` }
    return copies.read({ ...wanted, account_id: id, maxAge: TREE_AGE_S, read })
  }

  async function search({ dictionaries, id }: Account, question: Search, signal: AbortSignal): Promise<Partial<Tags>> {
    const [by, on] = [await session(id), hooks(signal)]
    const { type, asked } = question
    if (type === 'AWEME_AUTHOR') {
      return { [type]: await mustHave(dictionaries.creators)(by, question.behaviors, asked, on) }
    }
    const kind = type === 'BEHAVIOR_KEYWORDS' ? 'behaviour' : 'interest'
    return { [type]: await dictionaries.keywords(by, kind, question.window, asked, on) }
  }

  const crowdsOf = ({ id, dictionaries }: Pick<Account, 'id' | 'dictionaries'>, how: { anew: boolean }) =>
    copies.read<CrowdRow>(
      {
        key: `crowds of ${id}`,
        account_id: id,
        maxAge: CROWDS_AGE_S,
        read: async (signal) => dictionaries.crowds(await session(id), hooks(signal)),
      },
      how,
    )

  async function tagsOf(
    viewer: Viewer,
    { advertiser_id, type, filtering = [] }: TagsAsked & { type: TagType },
    signal: AbortSignal,
  ): Promise<Tags> {
    const { adv_id, platform } = await mustFindAccount(viewer, advertiser_id)
    const { question, refusal } = tagQuestion(type, filtering, keywordKey(platform))
    if (refusal) throw new AppError('badInput', { reason: refusal })
    if (question.type === 'REGION_PLAN') {
      return { REGION_PLAN: await regionPlans(adv_id, platform), read_at: now(), fail_outcome: null }
    }
    const account = await mustReach(viewer, advertiser_id)
    if (isTree(question)) {
      const { content, isKin = false, ...age } = await onPlatform(account, treeOf(account, question))
      return { [type]: isKin ? uncounted(content) : content, ...age }
    }
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_S * 1000)])
    const asked = [account.platform, createHash('sha256').update(JSON.stringify(question)).digest('base64url')]
    const answer = within(SEARCH_S, search(account, question, deadline))
    const { content, ...age } = await onPlatform(account, copies.searched(asked.join(' '), answer))
    return { ...content[0], ...age }
  }

  return {
    /** Every crowd of an account, for callers who have checked whose it is. Throws PlatformFault. */
    async crowdList(account_id: number, how = { anew: false }): Promise<Copy<CrowdRow>> {
      const account = await db
        .selectFrom('platform_account')
        .select(['id', 'platform'])
        .where('id', '=', account_id)
        .executeTakeFirstOrThrow()
      const dictionaries = dictionariesOf(account.platform as PlatformCode)
      if (!dictionaries) throw new PlatformFault('refused', outcome('targeting_platform_local'))
      return crowdsOf({ id: account.id, dictionaries }, how)
    },

    /** The regions that an account's platform lists, for callers who have checked whose it is; null if none were read. */
    async regionIds(account_id: number): Promise<ReadonlySet<string> | null> {
      const { platform, login_id } = await db
        .selectFrom('platform_account')
        .select(['platform', 'login_id'])
        .where('id', '=', account_id)
        .executeTakeFirstOrThrow()
      const code = platform as PlatformCode
      const dictionaries = dictionariesOf(code)
      if (!dictionaries || login_id === null) return null
      try {
        const { content } = await treeOf({ id: account_id, platform: code, dictionaries }, { type: 'REGION' })
        return new Set(valuesOf(content))
      } catch (error) {
        if (error instanceof PlatformFault) return null
        throw error
      }
    },

    /** `signal`: ends a search that nobody waits for any more. Of several types the age is that of the oldest. */
    async tags(viewer: Viewer, { type, ...asked }: TagsAsked, signal: AbortSignal): Promise<Tags> {
      const answers = await Promise.all([type].flat().map((one) => tagsOf(viewer, { ...asked, type: one }, signal)))
      const read_at = Math.min(...answers.map((answer) => answer.read_at))
      const fail_outcome = answers.find((answer) => answer.fail_outcome !== null)?.fail_outcome ?? null
      return { ...Object.assign({}, ...answers), read_at, fail_outcome }
    },
    async crowds(viewer: Viewer, asked: z.output<typeof listTargetingCrowds.query>) {
      const account = await mustReach(viewer, asked.advertiser_id)
      const { content, ...age } = await onPlatform(account, crowdsOf(account, { anew: asked.refresh }))
      const name = asked.name?.trim().toLowerCase() ?? ''
      const found = content.filter(
        (row) =>
          (asked.type === undefined || isCustomCrowd(row) === (asked.type === '1')) &&
          (asked.status ?? [stateOf(row)]).includes(stateOf(row)) &&
          row.name.toLowerCase().includes(name),
      )
      return {
        list: found.slice((asked.page - 1) * asked.page_size, asked.page * asked.page_size),
        total_num: found.length,
        recommend_num: found.filter((row) => !isCustomCrowd(row)).length,
        ...age,
      }
    },
  }
}
export type TargetingDictionaryService = ReturnType<typeof targetingDictionaryService>

const stateOf = (row: CrowdRow) => (row.is_common === 0 ? 'frozen' : 'available')

function mustHave<T>(lookUp: T | undefined): T {
  if (lookUp === undefined) throw new PlatformFault('refused', outcome('targeting_tags_none'))
  return lookUp
}

/** Whom a tree covers in other days says nothing of these. */
const uncounted = (nodes: readonly TagNode[]): TagNode[] =>
  nodes.map((node) => ({ ...node, num: null, children: uncounted(node.children) }))

const valuesOf = (nodes: readonly TagNode[]): string[] =>
  nodes.flatMap(({ value, children }) => [value, ...valuesOf(children)])

const hooks = (signal: AbortSignal): StepHooks => ({ signal, sample: () => undefined })

/** A platform's tree is the same for all accounts. */
function treeKey(platform: PlatformCode, question: Tree): string {
  const about =
    'window' in question
      ? question.type === 'INTEREST'
        ? []
        : [question.window.days, ...question.window.scenes]
      : 'behaviors' in question
        ? question.behaviors
        : []
  return [platform, question.type, ...about].join(' ')
}
