import { WRITE_KEY_KINDS, WriteKeyKind } from '#contract/tracking.ts'
import { command } from './command.ts'
import { advertiserNamed } from './import.ts'

const KINDS = Object.entries(WRITE_KEY_KINDS)
  .map(([kind, name]) => `${kind}（${name}）`)
  .join('、')

export const makeWriteKey = command({
  name: 'write-key',
  summary: '新建一个写入密钥，用于上报事件；密钥是输出的最后一行',
  usage: '--advertiser 广告主 [--kind server] [--name 名称]',
  positionals: [],
  options: {
    advertiser: { type: 'string' },
    'create-advertiser': { type: 'boolean' },
    kind: { type: 'string' },
    name: { type: 'string' },
  },
  begins: 'create-advertiser',
  help: [
    '--advertiser 广告主   必填；没有时用 --create-advertiser 新建',
    `--kind 种类           ${KINDS}；不写则为 server。网页密钥是公开的，不能合并用户，也不能改写已有用户的属性`,
    '--name 名称           不写则为「命令行」',
  ],
  run: async (runtime, { values }, { print }) => {
    const name = values.advertiser?.trim()
    if (!name) throw new Error('缺少 --advertiser')
    const kind = WriteKeyKind.safeParse(values.kind ?? 'server')
    if (!kind.success) throw new Error(`--kind ${values.kind} 不正确：可以是 ${KINDS}`)
    const { adv_id } = await advertiserNamed(runtime, { name, mayCreate: values['create-advertiser'] ?? false })
    const { key } = await runtime.services.writeKeys.make(null, {
      adv_id,
      kind: kind.data,
      name: values.name?.trim().slice(0, 30) || '命令行',
    })
    print(`「${name}」的写入密钥（${WRITE_KEY_KINDS[kind.data]}）：`)
    print(key)
  },
})
