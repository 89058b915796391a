import { z } from 'zod'
import type { Creator, TagNode } from '#contract/targeting-tags.ts'
import { WireId } from '../lossless-json.ts'

/** A list in an answer; an odd row is left out, and no list is an empty one. */
export const rowsOf = <S extends z.ZodType>(row: S) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((rows): z.output<S>[] =>
      (rows ?? []).flatMap((one) => {
        const read = row.safeParse(one)
        return read.success ? [read.data] : []
      }),
    )

/** Text for display, which may come as a number. */
const Shown = z
  .union([z.string(), z.number()])
  .transform(String)
  .nullish()
  .transform((text) => text?.slice(0, 200) ?? '')

/** A category or keyword of behaviours and interests. */
export const TagRow: z.ZodType<TagNode> = z
  .object({
    id: WireId,
    name: Shown,
    num: Shown,
    get children() {
      return rowsOf(TagRow)
    },
  })
  .transform(({ id, name, num, children }) => ({ value: id, label: name || id, num: num || null, children }))

export const CreatorCategoryRow: z.ZodType<TagNode> = z
  .object({
    id: WireId,
    value: Shown,
    cover_num_str: Shown,
    get children() {
      return rowsOf(CreatorCategoryRow)
    },
  })
  .transform(({ id, value, cover_num_str, children }) => ({
    value: id,
    label: value || id,
    num: cover_num_str || null,
    children,
  }))

/** Mainland places have a code, others a number of their own. */
export const DistrictRow: z.ZodType<TagNode> = z
  .object({
    code: Shown,
    geoname_id: Shown,
    name: Shown,
    level: z.enum(['PROVINCE', 'CITY', 'DISTRICT']).optional().catch(undefined),
    get sub_districts() {
      return rowsOf(DistrictRow)
    },
  })
  .refine(({ code, geoname_id }) => code || geoname_id)
  .transform(({ code, geoname_id, name, level, sub_districts }) => ({
    value: code || geoname_id,
    label: name || code,
    num: null,
    ...(level && { level }),
    children: sub_districts,
  }))

export const CreatorRow: z.ZodType<Creator> = z
  .object({
    label_id: WireId,
    author_name: Shown,
    aweme_id: Shown,
    avatar: z.string().nullish(),
    category_name: Shown,
    cover_num_str: Shown,
    total_fans_num_str: Shown,
  })
  .transform(({ avatar, ...row }) => ({ ...row, avatar: avatar && avatar.length <= 2000 ? avatar : '' }))
