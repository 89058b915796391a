import { outcome } from '#contract/outcome.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { readPackage } from '#contract/targeting/packages.ts'
import type { Viewer } from '../http/viewer.ts'
import type { StoredTargeting } from '../postgres/schema-targeting.ts'
import { transaction } from '../postgres/transaction.ts'
import type { Runtime } from '../process/runtime.ts'

const DAY = 86_400
/** 北京、上海、广州、深圳, as every platform numbers them. */
const FIRST_TIER = ['110000', '310000', '440100', '440300']
/** 成都、杭州、武汉、南京、西安、苏州. */
const NEW_FIRST_TIER = ['510100', '330100', '420100', '320100', '610100', '320500']

/** What makes a package's state other than 正常. */
type Later = 'in use' | 'expired' | 'crowd lost' | 'made on the platform' | 'refused there'

interface DemoPackage {
  platform: PackageCode
  name: string
  folder: string
  targeting: StoredTargeting
  /** What it was before somebody changed it. */
  before?: StoredTargeting
  /** The name of a template that was saved from it. */
  template?: string
  later?: Later
}

const regions = (codes: readonly string[]) => ({ regions: { regions: [...codes], regionsPlan: [] } })

const PACKAGES: readonly DemoPackage[] = [
  {
    platform: 1,
    name: '一二线年轻女性',
    folder: '默认分组',
    targeting: {
      geo_location: 'REGIONS',
      regions: [...FIRST_TIER, ...NEW_FIRST_TIER],
      age: [{ min: 18, max: 30 }],
      gender: ['FEMALE'],
    },
    template: '年轻女性（自有）',
  },
  {
    platform: 1,
    name: '护肤兴趣-排除已转化',
    folder: '拉新投放',
    targeting: {
      gender: ['FEMALE'],
      interest: 'CUSTOM',
      interest_keywords: ['口红', '护肤', '防晒'],
      excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
    },
    before: { gender: ['FEMALE'], interest: 'CUSTOM', interest_keywords: ['口红'] },
    later: 'in use',
  },
  {
    platform: 1,
    name: '618大促-高学历',
    folder: '大促活动',
    targeting: { age: [{ min: 24, max: 45 }], education: ['MASTER', 'BACHELOR'] },
    later: 'expired',
  },
  {
    platform: 2,
    name: '落地页-一二线年轻女性',
    folder: '默认分组',
    targeting: {
      landing_type: 'EXTERNAL',
      age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'],
      gender: ['GENDER_FEMALE'],
      district: ['CITY'],
      ...regions([...FIRST_TIER, ...NEW_FIRST_TIER]),
      location_types: ['CURRENT'],
    },
  },
  {
    platform: 2,
    name: '门店周边-人民广场',
    folder: '默认分组',
    targeting: {
      landing_type: 'STORE',
      district: ['BUSINESS_DISTRICT'],
      custom_locations: [
        { kind: 'circle', name: '人民广场', long: 121.475_19, lat: 31.228_833, radius: 5000 },
        { kind: 'circle', name: '陆家嘴', long: 121.502_535, lat: 31.237_015, radius: 3000 },
      ],
    },
    later: 'in use',
  },
  {
    platform: 2,
    name: '安卓应用-中高价手机',
    folder: '拉新投放',
    targeting: {
      landing_type: 'APP_ANDROID',
      platform: ['ANDROID'],
      device_brand_by: ['CUSTOM'],
      device_brand: ['HUAWEI', 'XIAOMI', 'OPPO', 'VIVO'],
      launch_price_by: ['CUSTOM'],
      launch_price: [4000, 8000],
    },
    later: 'refused there',
  },
  {
    platform: 2,
    name: '平台新建的包',
    folder: '默认分组',
    targeting: { landing_type: 'EXTERNAL', gender: ['GENDER_MALE'] },
    later: 'made on the platform',
  },
  {
    platform: 3,
    name: '直播间-老客召回',
    folder: '会员运营',
    targeting: {
      landing_type: 'LIVE',
      auto_crowd_mode: [1],
      retargeting_tags_include: ['1700000000001'],
      retargeting_tags_include_local: [
        {
          retargeting_tags_id: '1700000000001',
          name: '近180天下单会员（生成数据）',
          source: 'CUSTOM',
          is_common: 1,
          retargeting_tags_op: 'ALL',
        },
      ],
    },
    later: 'crowd lost',
  },
  {
    platform: 3,
    name: '直播间-一二线年轻女性',
    folder: '默认分组',
    targeting: {
      landing_type: 'LIVE',
      age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'],
      gender: ['GENDER_FEMALE'],
      district: ['CITY'],
      ...regions([...FIRST_TIER, ...NEW_FIRST_TIER]),
      location_types: ['CURRENT'],
      live_platform_tags: ['AWEME_FANS'],
    },
  },
  {
    platform: 3,
    name: '短视频-店铺新客',
    folder: '拉新投放',
    targeting: { landing_type: 'VIDEO', gender: ['GENDER_FEMALE'], new_customer: 'NO_BUY' },
    later: 'in use',
  },
]

function mustRead(platform: PackageCode, name: string, wanted: StoredTargeting): StoredTargeting {
  const { targeting, refusal } = readPackage(platform, wanted)
  if (!targeting) throw new Error(`the demo's package ${name}: ${refusal.code}`)
  return targeting
}

interface World {
  adv_id: number
  viewer: Viewer
  /** Folders' ids by name. */
  folders: ReadonlyMap<string, number>
  /** The first second of today. */
  midnight: number
}

/**
 * Packages on the demo's accounts, in several states. They are written as rows with their times. The accounts are not
 * authorised, so that nothing of the demo reaches a platform: what would be mirrored waits for that.
 */
export async function makePackages(
  { stores, services }: Runtime,
  { adv_id, viewer, folders, midnight }: World,
): Promise<void> {
  const { db } = stores.postgres
  const accounts = await db
    .selectFrom('platform_account')
    .select(['id', 'platform'])
    .where('adv_id', '=', adv_id)
    .execute()
  await transaction(db, async (tx) => {
    for (const [index, made] of PACKAGES.entries()) {
      const { platform, name, folder, before, template, later } = made
      const targeting = mustRead(platform, name, made.targeting)
      const account_id = accounts.find((account) => account.platform === platform)?.id as number
      const at = midnight - (PACKAGES.length - index) * DAY + 10 * 3600 + index * 977
      const isForeign = later === 'made on the platform'
      const by = isForeign ? null : viewer.id
      const invalid_time = later === 'expired' ? midnight - 1 : midnight + 90 * DAY - 1
      const { id } = await tx
        .insertInto('targeting_package')
        .values({
          ...{ adv_id, account_id, platform, name, invalid_time },
          dir_id: folders.get(folder) ?? 1,
          targeting: JSON.stringify(targeting),
          landing_type: (targeting as { landing_type?: string }).landing_type ?? null,
          origin: isForeign ? 'platform' : 'own',
          targeting_id: isForeign ? '1782000000000000001' : null,
          is_crowd_lost: later === 'crowd lost',
          ...{ creator_id: by, created_at: at, saved_by: by, saved_at: at, ver: before ? 2 : 1 },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (by !== null) {
        await services.targetingPackages.mirror.saved(tx, { id, account_id, platform })
        const version = { package_id: id, viewer_id: by, name, invalid_time, restored_from: null }
        const versions = [...(before ? [mustRead(platform, name, before)] : []), targeting]
        for (const [no, content] of versions.entries()) {
          const kind = no === 0 ? ('create' as const) : ('update' as const)
          await tx
            .insertInto('targeting_version')
            .values({ ...version, ver: no + 1, kind, at: at + no * 3600, targeting: JSON.stringify(content) })
            .execute()
        }
      }
      if (later === 'refused there') {
        const refused = {
          state: 'failed' as const,
          outcome: outcome('platform_refused', { text: '人群包审核未通过（生成数据）' }),
        }
        await tx.updateTable('targeting_mirror').set(refused).where('package_id', '=', id).execute()
      }
      if (template !== undefined) {
        const row = { adv_id, platform, name: template, targeting: JSON.stringify(targeting) }
        await tx
          .insertInto('targeting_template')
          .values({ ...row, creator_id: viewer.id, created_at: at })
          .execute()
      }
      if (later === 'in use') {
        const use = { package_id: id, plan_id: index + 1, plan_name: `${name}计划（生成数据）`, live: true }
        await tx.insertInto('targeting_use').values(use).execute()
      }
    }
  })
}
