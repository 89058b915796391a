/** Invented people, whose counts the tests can compute themselves. */
export interface Person {
  id: string
  性别: '男' | '女'
  城市级别: '一线' | '二线' | '三线' | ''
  会员: '是' | '否'
  支付: number
  退款: number
}

export function somePeople(howMany: number): Person[] {
  return Array.from({ length: howMany }, (_, i) => ({
    // Leading zeros are part of an id.
    id: String(i).padStart(6, '0'),
    性别: i % 2 ? ('男' as const) : ('女' as const),
    城市级别: i % 7 === 0 ? ('' as const) : (['一线', '二线', '三线'] as const)[i % 3],
    会员: i % 5 === 0 ? ('是' as const) : ('否' as const),
    支付: i % 4 === 0 ? 1 + (i % 3) : 0,
    退款: i % 12 === 0 ? 1 : 0,
  })) as Person[]
}

export const usersCsv = (people: readonly Person[]): string =>
  ['用户,性别,城市级别,会员', ...people.map((one) => [one.id, one.性别, one.城市级别, one.会员].join(','))].join('\n')

const DAY_S = 86_400

/** One row for each event, on past days. */
export function eventsCsv(people: readonly Person[]): string {
  const today = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S
  const rows = people.flatMap((one) =>
    (['支付', '退款'] as const).flatMap((event) =>
      Array.from({ length: one[event] }, (_, n) => `${one.id},${event},${today - (n + 2) * DAY_S},${10 * (n + 1)}`),
    ),
  )
  return ['用户,事件,时间,金额', ...rows].join('\n')
}

/** How many of them match a condition. */
export const count = (people: readonly Person[], holds: (one: Person) => unknown): number => people.filter(holds).length

/** A number as the console formats it: 1,234. */
export const grouped = (n: number): string => new Intl.NumberFormat('en-US').format(n)
