import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('an empty environment is enough', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    demo: true,
    deployment: 'saas',
    timezone: 'Asia/Shanghai',
    embedOrigins: [],
    role: 'all',
    peopleQuota: 1000,
  })
})

test('an empty variable counts as unset', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

describe('a valid setting is accepted', () => {
  test.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ DEMO: '0' }, { demo: false }],
    [{ DEPLOYMENT: 'rps' }, { deployment: 'rps' }],
    [{ PLATFORM_SOCIAL_PACKAGES: '1' }, { socialStoresPackages: true }],
    [{ BITMAP_MEMORY: '512M' }, { bitmapMemory: 512 * 2 ** 20 }],
    [{ BITMAP_MEMORY: '1.5g' }, { bitmapMemory: 1.5 * 2 ** 30 }],
    [{ BITMAP_MEMORY: '1000' }, { bitmapMemory: 1000 }],
    [{ EMBED_ORIGINS: 'https://a.cn, http://b.cn:8080' }, { embedOrigins: ['https://a.cn', 'http://b.cn:8080'] }],
    [{ PUBLIC_URL: 'https://renqun.example.com/' }, { publicUrl: 'https://renqun.example.com' }],
    [{}, { trustedProxies: ['127.0.0.0/8', '::1/128'] }],
    [{ TRUSTED_PROXIES: '10.0.0.5, fd00::/8' }, { trustedProxies: ['10.0.0.5', 'fd00::/8'] }],
    [{ TIMEZONE: 'America/New_York' }, { timezone: 'America/New_York' }],
    [{ TIMEZONE: 'asia/shanghai' }, { timezone: 'Asia/Shanghai' }],
    [{ TIMEZONE: 'utc' }, { timezone: 'UTC' }],
    [
      { PLATFORM_VIDEO_URL: 'http://v.cn' },
      { platforms: { video: { url: 'http://v.cn' }, social: { url: undefined } } },
    ],
    [
      { ROLE: 'web', DATABASE_URL: 'postgres://h/renqun', CLICKHOUSE_URL: 'http://h:8123' },
      { role: 'web', databaseUrl: 'postgres://h/renqun', clickhouseUrl: 'http://h:8123' },
    ],
  ])('%o', (env, settings) => {
    expect(readSettings(env)).toMatchObject(settings)
  })
})

describe('a wrong setting is refused with a sentence that names it', () => {
  test.each([
    [{ PORT: 'http' }, '设置 PORT 不正确：要写成 0 到 65535 的整数'],
    [{ PORT: '70000' }, '设置 PORT 不正确：要写成 0 到 65535 的整数'],
    [{ DEMO: 'yes' }, '设置 DEMO 不正确：只能是 1、0'],
    [{ DEPLOYMENT: 'cloud' }, '设置 DEPLOYMENT 不正确：只能是 saas、rps'],
    [{ DATABASE_URL: 'mysql://h/db' }, '设置 DATABASE_URL 不正确：要写成 postgres://用户:密码@主机/库名'],
    [{ CLICKHOUSE_URL: 'h:8123' }, '设置 CLICKHOUSE_URL 不正确：要写成 http://用户:密码@主机:8123/库名'],
    [{ TIMEZONE: 'Mars/Base' }, '设置 TIMEZONE 不正确：不是时区名，例如 Asia/Shanghai'],
    [{ TIMEZONE: '+08:00' }, '设置 TIMEZONE 不正确：不是时区名，例如 Asia/Shanghai'],
    [{ TIMEZONE: 'UTC+8' }, '设置 TIMEZONE 不正确：不是时区名，例如 Asia/Shanghai'],
    [{ TIMEZONE: 'CST' }, '设置 TIMEZONE 不正确：不是时区名，例如 Asia/Shanghai'],
    [{ ADMIN_PASSWORD: 'short' }, '设置 ADMIN_PASSWORD 不正确：至少 8 个字符'],
    [{ SECRET_KEY: 'short' }, '设置 SECRET_KEY 不正确：至少 32 个字符'],
    [{ BITMAP_MEMORY: 'much' }, '设置 BITMAP_MEMORY 不正确：要写成大小，例如 512M 或 4G'],
    [
      { EMBED_ORIGINS: 'https://a.cn/path' },
      '设置 EMBED_ORIGINS 不正确：要写成来源，用逗号分隔，例如 https://ads.example.com',
    ],
    [{ PLATFORM_SOCIAL_URL: 'x' }, '设置 PLATFORM_SOCIAL_URL 不正确：要写成 http://… 或 https://…'],
    [
      { PLATFORM_VIDEO_URL: 'https://api.oceanengine.com' },
      '设置 PLATFORM_VIDEO_APP_ID、PLATFORM_VIDEO_SECRET 缺少：PLATFORM_VIDEO_URL、PLATFORM_VIDEO_APP_ID 与 PLATFORM_VIDEO_SECRET 要同时设置',
    ],
    [{ PLATFORM_SOCIAL_APP_ID: '12', PLATFORM_SOCIAL_SECRET: 's' }, '设置 PLATFORM_SOCIAL_URL 缺少'],
    [{ PUBLIC_URL: 'https://a.cn/renqun' }, '设置 PUBLIC_URL 不正确：只写到主机与端口'],
    [
      { TRUSTED_PROXIES: 'proxy.local' },
      '设置 TRUSTED_PROXIES 不正确：要写成地址或网段，用逗号分隔，例如 10.0.0.5,172.16.0.0/12',
    ],
    [{ BITMAP_MEMORY: '900000G' }, '设置 BITMAP_MEMORY 不正确：大于本机的内存'],
    [{ ROLE: 'worker' }, 'ROLE=worker 需要独立的数据库服务：请同时设置 DATABASE_URL 和 CLICKHOUSE_URL'],
    [{ ROLE: 'web', DATABASE_URL: 'postgres://h/r' }, '请同时设置 CLICKHOUSE_URL，'],
    [{ CLICKHOUSE_CLUSTER: 'main' }, '设置 CLICKHOUSE_CLUSTER 需要同时设置 CLICKHOUSE_URL'],
    [{ PORT: 'x', DEMO: '2' }, '设置 DEMO 不正确：只能是 1、0'],
  ])('%o', (env, sentence) => {
    expect(() => readSettings(env)).toThrow(sentence)
  })
})
