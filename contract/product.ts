import { z } from 'zod'
import { group, Path } from './activity-fields.ts'
import { Id, IdParam, itemName, Nothing } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The most products of an advertiser. */
export const PRODUCTS_MAX = 500
export const ProductName = itemName('请输入产品名称')

export const listProducts = endpoint({
  method: 'GET',
  path: Path('/product/list'),
  group,
  summary: '广告主的产品',
  query: z.object({ adv_id: IdParam.describe('广告主 ID') }),
  data: z.object({
    list: z
      .array(z.object({ id: Id.describe('产品 ID'), name: z.string().describe('产品名称') }))
      .describe('产品，按名称'),
  }),
})

export const addProduct = endpoint({
  method: 'POST',
  path: Path('/product'),
  group,
  summary: '给广告主添加一个产品',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: ProductName.describe('产品名称，1 到 30 个字符，同一广告主内不可重名'),
  }),
  data: z.object({ id: Id.describe('产品 ID') }),
})

export const deleteProduct = endpoint({
  method: 'DELETE',
  path: Path('/product'),
  group,
  summary: '删除产品；已选它的活动不再有产品',
  query: z.object({ id: IdParam.describe('产品 ID') }),
  data: Nothing,
})
