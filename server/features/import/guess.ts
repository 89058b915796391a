import { type ImportKind, ROW_ID } from '#contract/import.ts'
import type { FileHead } from '../../files/head.ts'

const NAMES = {
  id: /^(one_?id|user_?id|uid|customer_?id|member_?id|household_?id|client_?id|id|用户\s?(id|编号)|会员\s?(id|编号|号)|客户\s?(id|编号))$/i,
  name: /^(name|real_?name|nick_?name|full_?name|姓名|名字|昵称)$/i,
  phone: /^(phone|mobile|mobile_?phone|phone_?number|tel|手机|手机号|手机号码|电话)$/i,
  event: /^(event|event_?name|event_?type|behaviou?r|action|事件|事件名|事件名称|行为)$/i,
  time: /^(ts|time|timestamp|event_?time|date|datetime|created_?at|.*_(time|timestamp|date|at)|.*(date|timestamp)|时间|.*(时间|日期))$/i,
  title: /^(title|page_?title|event_?title|标题|页面标题|事件标题)$/i,
}
const PHONE = /^1\d{10}$/

/** Guesses the meaning of each column from its name, for phones also from its values. */
export function guessMapping(kind: ImportKind, { columns, rows }: FileHead) {
  const named = (pattern: RegExp) => columns.find((column) => pattern.test(column.trim())) ?? null
  const ofPhones = columns.find((_, at) => rows.length > 0 && rows.every((row) => PHONE.test(row[at]?.trim() ?? '')))
  const isEvents = kind === 'events'
  return {
    id: named(NAMES.id) ?? (isEvents ? null : ROW_ID),
    name: isEvents ? null : named(NAMES.name),
    phone: isEvents ? null : (named(NAMES.phone) ?? ofPhones ?? null),
    event: isEvents ? named(NAMES.event) : null,
    time: isEvents ? named(NAMES.time) : null,
    title: isEvents ? named(NAMES.title) : null,
  }
}
