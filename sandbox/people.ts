import type { Database } from './database.ts'
import { accountId, type PlatformName } from './platforms.ts'

export interface Login {
  platform: PlatformName
  id: string
  name: string
}

export interface Account {
  platform: PlatformName
  id: string
  login_id: string
  name: string
  /** The legal entity. */
  company: string
  /**
   * Social: ADVERTISER, AGENCY, ORGANIZATION, or SUB_ADVERTISER below an organization or agency. Video: the platform's
   * account_type.
   */
  kind: string
  /** The agency above it. */
  parent_id: string | null
  is_valid: number
}

const socialId = (no: number) => accountId('social', no)
const videoId = (no: number) => accountId('video', no)

type SeededAccount = Omit<Account, 'platform' | 'login_id' | 'is_valid' | 'parent_id'> & { parent_id?: string }
const SEEDS: readonly (Login & { accounts: readonly SeededAccount[] })[] = [
  {
    platform: 'social',
    id: '880001',
    name: '云杉运营（QQ 880001）',
    accounts: [1, 2, 3, 4].map((no) => ({
      id: socialId(no),
      name: `云杉腾讯账户${no}`,
      company: '云杉科技有限公司',
      kind: 'ADVERTISER',
    })),
  },
  {
    platform: 'social',
    id: '880002',
    name: '海棠运营（QQ 880002）',
    accounts: [11, 12, 13, 14].map((no) => ({
      id: socialId(no),
      name: `海棠腾讯账户${no - 10}`,
      company: '海棠生活有限公司',
      kind: 'ADVERTISER',
    })),
  },
  {
    platform: 'social',
    id: '880003',
    name: '百川代理（QQ 880003）',
    accounts: [
      { id: socialId(21), name: '百川代理商', company: '百川传媒有限公司', kind: 'AGENCY' },
      ...[22, 23].map((no) => ({
        id: socialId(no),
        name: `百川子客户${no - 21}`,
        company: '百川传媒有限公司',
        kind: 'SUB_ADVERTISER',
        parent_id: socialId(21),
      })),
    ],
  },
  {
    platform: 'social',
    id: '880004',
    name: '青禾集团（工作台 880004）',
    accounts: [
      { id: socialId(31), name: '青禾集团工作台', company: '青禾集团有限公司', kind: 'ORGANIZATION' },
      ...[32, 33].map((no) => ({
        id: socialId(no),
        name: `青禾子公司${no - 31}`,
        company: `青禾子公司${no - 31}`,
        kind: 'SUB_ADVERTISER',
        parent_id: socialId(31),
      })),
    ],
  },
  {
    platform: 'video',
    id: '770003',
    name: '百川代理（baichuan@example.com）',
    accounts: [
      { id: videoId(21), name: '百川代理商', company: '百川传媒有限公司', kind: 'AGENT' },
      ...[22, 23].map((no) => ({
        id: videoId(no),
        name: `百川巨量客户${no - 21}`,
        company: '百川传媒有限公司',
        kind: 'ADVERTISER',
        parent_id: videoId(21),
      })),
      { id: videoId(24), name: '百川千川代理', company: '百川传媒有限公司', kind: 'PLATFORM_ROLE_QIANCHUAN_AGENT' },
      ...[25, 26].map((no) => ({
        id: videoId(no),
        name: `百川千川客户${no - 24}`,
        company: '百川传媒有限公司',
        kind: 'QIANCHUAN',
        parent_id: videoId(24),
      })),
    ],
  },
  {
    platform: 'video',
    id: '770001',
    name: '云杉运营（yunshan@example.com）',
    accounts: [
      ...[1, 2, 3, 4].map((no) => ({
        id: videoId(no),
        name: `云杉巨量账户${no}`,
        company: '云杉科技有限公司',
        kind: 'ADVERTISER',
      })),
      { id: videoId(5), name: '云杉旗舰店', company: '云杉科技有限公司', kind: 'PLATFORM_ROLE_SHOP_ACCOUNT' },
      ...[6, 7].map((no) => ({
        id: videoId(no),
        name: `云杉千川账户${no - 5}`,
        company: '云杉科技有限公司',
        kind: 'QIANCHUAN',
        parent_id: videoId(5),
      })),
    ],
  },
  {
    platform: 'video',
    id: '770002',
    name: '海棠运营（haitang@example.com）',
    accounts: [
      ...[11, 12, 13, 14].map((no) => ({
        id: videoId(no),
        name: `海棠巨量账户${no - 10}`,
        company: '海棠生活有限公司',
        kind: 'ADVERTISER',
      })),
      { id: videoId(15), name: '海棠管家', company: '海棠生活有限公司', kind: 'CUSTOMER_ADMIN' },
      ...[16, 17].map((no) => ({
        id: videoId(no),
        name: `海棠管家子账户${no - 15}`,
        company: '海棠生活有限公司',
        kind: 'CC_ADVERTISER',
        parent_id: videoId(15),
      })),
      {
        id: videoId(18),
        name: '海棠管家千川账户',
        company: '海棠生活有限公司',
        kind: 'QIANCHUAN',
        parent_id: videoId(15),
      },
    ],
  },
]

export type People = ReturnType<typeof peopleOf>

/** The platforms' logins, and the accounts that each manages. */
export function peopleOf(db: Database) {
  const people = {
    /** Keeps existing rows. */
    seed() {
      db.together(() => {
        for (const { accounts, ...login } of SEEDS) {
          people.addLogin(login)
          for (const account of accounts)
            people.addAccount({ ...account, platform: login.platform, login_id: login.id })
        }
      })
    },
    addLogin({ platform, id, name }: Login) {
      db.run('INSERT INTO login VALUES (?, ?, ?) ON CONFLICT (platform, id) DO NOTHING', platform, id, name)
    },
    /** Creates an account, with the next free id if none is given. */
    addAccount(
      given: Omit<Account, 'id' | 'is_valid' | 'parent_id'> & { id?: string; parent_id?: string | undefined },
    ) {
      const { platform, login_id, name, company, kind, parent_id } = given
      const made = db.number('SELECT count(*) FROM account WHERE platform = ?', platform)
      const id = given.id ?? accountId(platform, 1000 + made)
      db.run(
        'INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT (platform, id) DO NOTHING',
        ...[platform, id, login_id, name, company, kind, parent_id ?? null],
      )
      return id
    },
    logins: (platform: PlatformName) => db.all<Login>('SELECT * FROM login WHERE platform = ? ORDER BY id', platform),
    login: (platform: PlatformName, id: string) =>
      db.one<Login>('SELECT * FROM login WHERE platform = ? AND id = ?', platform, id),
    accountsOf: (platform: PlatformName, login_id: string) =>
      db.all<Account>('SELECT * FROM account WHERE platform = ? AND login_id = ? ORDER BY id', platform, login_id),
    account: (platform: PlatformName, id: string) =>
      db.one<Account>('SELECT * FROM account WHERE platform = ? AND id = ?', platform, id),
    below: (platform: PlatformName, parent_id: string) =>
      db.all<Account>('SELECT * FROM account WHERE platform = ? AND parent_id = ? ORDER BY id', platform, parent_id),
    setValid: (platform: PlatformName, id: string, isValid: boolean) =>
      db.run('UPDATE account SET is_valid = ? WHERE platform = ? AND id = ?', isValid ? 1 : 0, platform, id),
    all: () => db.all<Account>('SELECT * FROM account ORDER BY platform, id'),
  }
  people.seed()
  return people
}
