/** What a plan lacks before its platform can create it. */
export const CREATION_FIELDS = { marketing_asset_id: '推广产品 ID', aweme_id: '抖音号 ID', bid: '出价' } as const
export type CreationField = keyof typeof CREATION_FIELDS
