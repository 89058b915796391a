import { type AssetTab, COMBINED_TAB, PLATFORMS, type PlatformCode, platformInfo } from '#contract/platform.ts'

/** `?a=1&b=2`, without empty values. */
function search(values: Record<string, string | number | undefined>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

/** Every URL of the console, in the spelling that existing links use (`cowd`). A new item has id 0. */
export const paths = {
  home: () => '/',
  login: (from?: string) => `/login${search({ from })}`,

  /** Opened in a frame of another site, which also shows here that its session ended. */
  embed: () => '/embed',

  customCrowd: (dirId?: number, name?: string) => `/cowd-manage/custom-crowd${search({ dir_id: dirId, name })}`,
  /** The same list; the forms return to this URL. */
  customCrowdList: (dirId?: number) => `/cowd-manage/custom-crowd/list${search({ dir_id: dirId })}`,
  customCrowdUpload: (dirId?: number, advId?: number) =>
    `/cowd-manage/custom-crowd/upload${search({ dir_id: dirId, adv_id: advId })}`,
  customCrowdEdit: (id: number, advId: number) => `/cowd-manage/custom-crowd/edit/${id}${search({ adv_id: advId })}`,

  /** Where a crowd's pushes and their progress stand; their tasks lead there too. */
  pushesOf: ({ kind, id }: { kind: 'custom' | 'rule'; id: number }) =>
    kind === 'custom' ? `/cowd-manage/custom-crowd?crowd=${id}&panel=pushes` : `/cowd-manage/cowd-assets?crowd=${id}`,

  assets: (
    tab: AssetTab = COMBINED_TAB,
    query: { dir_id?: number | undefined; name?: string; adv_id?: number | undefined } = {},
  ) => `/cowd-manage/cowd-assets${tab === COMBINED_TAB ? '' : `/${tab}`}${search(query)}`,
  /** The tab of a platform's targeting packages with the dialog of a new one, for this account of the advertiser. */
  newTargeting: (platform: PlatformCode, query: { adv_id: number; account_id: number }) =>
    `/cowd-manage/cowd-assets/${platformInfo(platform).tab}${search({ new: 1, ...query })}`,
  /** The tab of a platform's targeting packages with one of them open. */
  targetingPackage: (platform: PlatformCode, id: number) =>
    `/cowd-manage/cowd-assets/${platformInfo(platform).tab}?dir_id=0&package=${id}`,
  /** The editor of a platform's targeting packages. `ticket`: what the dialog of a new package chose. */
  targetingEdit(platform: PlatformCode, id: number, query: { mode?: 'copy' | 'read'; ticket?: string } = {}) {
    if (platform !== PLATFORMS.social.code) return `/cowd-manage/assets/crowd/${platform}/${id}${search(query)}`
    const { mode, ...rest } = query
    if (mode === 'read') return `/cowd-manage/cowd-assets/gdt-cowd/watch/${id}${search(rest)}`
    return `/cowd-manage/cowd-assets/gdt-cowd/edit/${id}${search(query)}`
  },
  ruleCrowdEdit: (id: number, query: { dir_id?: number | undefined; entry?: 'workbench' } = {}) =>
    `/cowd-manage/cowd-assets/edit/${id}${search(query)}`,
  ruleCrowdWatch: (id: number, query: { entry?: 'workbench' } = {}) =>
    `/cowd-manage/cowd-assets/watch/${id}${search(query)}`,
  /** What the people of a crowd of either kind have, and how it overlaps with others. */
  crowdProfile: (id: number) => `/cowd-manage/cowd-assets/profile/${id}`,

  tags: (query: { keyword?: string; tag_id?: number; tag_type?: number } = {}) => `/cowd-manage/tags${search(query)}`,
  userList: () => '/cowd-manage/user-list',
  /**
   * `person`: the number of somebody, who is found by it also where the One ID is shown masked, or is `..`, which browsers
   * take for the folder above.
   */
  userBehavior: (oneID: string, query: { adv_id?: number; person?: number } = {}) =>
    `/cowd-manage/user-behavior/${/^\.{1,2}$/.test(oneID) ? '-' : encodeURIComponent(oneID)}${search(query)}`,

  activities: () => '/campaign-manage/list',
  workBench: (campaignId?: number) => `/campaign-manage/work-bench${search({ campaign_id: campaignId })}`,
  /** Opened by a link, by people without an account. */
  sharedReport: () => '/shared/day-report',
  dayReport: (campaignId?: number, query: { time_range?: string } = {}) =>
    `/campaign-manage/day-report${search({ campaign_id: campaignId, ...query })}`,

  /** Opens the page at the row of `account_id`, or of the platform's account that needs attention. */
  advertiserData: (query: { account_id?: number; adv_id?: number | undefined; platform?: PlatformCode } = {}) =>
    `/basic-manage/index/advertiser-data${search(query)}`,
  /** The same page with the audiences of an account, where some can be deleted. */
  accountAudiences: (account_id: number) =>
    `/basic-manage/index/advertiser-data${search({ account_id, panel: 'audiences' })}`,
  dataAccess: (query: { import_id?: number; tab?: 'reports'; unlinked_import?: number } = {}) =>
    `/basic-manage/index/data-access${search(query)}`,
  /** `forgotten`: the receipt of a forgotten person, which opens there. */
  suppression: (query: { forgotten?: number } = {}) => `/basic-manage/index/suppression${search(query)}`,
  webhooks: () => '/basic-manage/index/webhooks',
  users: () => '/basic-manage/index/users',
  tokens: () => '/basic-manage/index/tokens',
  apiDocs: () => '/api/docs',
} as const
