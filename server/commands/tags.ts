import { markAll } from '../features/tag/store.ts'
import { audit } from '../postgres/audit.ts'
import { transaction } from '../postgres/transaction.ts'
import { command } from './command.ts'

export const rebuildTags = command({
  name: 'tags rebuild',
  summary: '重新计算标签，然后是使用它们的人群',
  usage: '[--advertiser 广告主]',
  positionals: [],
  options: { advertiser: { type: 'string' } },
  help: ['--advertiser 广告主   不写则重算所有广告主的标签'],
  run: async ({ stores, services }, { values, signal }, { progress, print }) => {
    const { db } = stores.postgres
    const all = await db.selectFrom('advertiser').select(['id', 'name']).orderBy('id').execute()
    const wanted = values.advertiser === undefined ? all : all.filter((one) => one.name === values.advertiser)
    if (values.advertiser !== undefined && wanted.length === 0) {
      throw new Error(
        `广告主「${values.advertiser}」不存在。已有广告主：${all.map((one) => one.name).join('、') || '（无）'}`,
      )
    }
    for (const [index, { id, name }] of wanted.entries()) {
      await transaction(db, async (tx) => {
        await markAll(tx, id)
        await audit(tx, null, 'tag.rebuild', { adv_id: id, ids: null })
      })
      const built = await services.tagBuilder.rebuild(id, {
        signal,
        step: (work) => transaction(db, work),
        progress: (share) => progress((index + share) / wanted.length, `计算「${name}」的标签`),
      })
      print(`${name}：${built} 个标签已重算`)
    }
  },
})
