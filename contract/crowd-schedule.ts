import { z } from 'zod'

/** Divisors of a day, so that the hours are the same every day. */
export const HOURS_BETWEEN = [1, 2, 3, 4, 6, 8, 12] as const
/** 1 is Monday, 7 Sunday. */
export const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'] as const

const Hour = z.int().min(0).max(23).describe('整点，0 到 23，按部署的时区')
const Weekday = z.int().min(1).max(WEEKDAYS.length)

/** When a rule crowd is recomputed: after its data changed, or at times of its own. */
export const CrowdSchedule = z
  .discriminatedUnion('every', [
    z.object({ every: z.literal('data').describe('data 跟随数据') }),
    z.object({
      every: z.literal('hours').describe('hours 每几小时'),
      hours: z.literal(HOURS_BETWEEN).describe(`从零点起每几小时一次：${HOURS_BETWEEN.join('、')}`),
    }),
    z.object({ every: z.literal('day').describe('day 每天'), hour: Hour }),
    z.object({
      every: z.literal('week').describe('week 每周'),
      days: z
        .array(Weekday)
        .min(1, '请选择星期')
        .max(WEEKDAYS.length)
        .refine((days) => new Set(days).size === days.length, '星期不能重复')
        .describe('星期，1 周一到 7 周日，不重复'),
      hour: Hour,
    }),
  ])
  .describe('更新时间：data 跟随数据（数据变化后重新计算），hours 每几小时，day 每天，week 每周')
export type CrowdSchedule = z.output<typeof CrowdSchedule>

export const FOLLOWS_DATA: CrowdSchedule = { every: 'data' }

/** The schedule as a cron expression; null where the data decide. */
export function cronOf(schedule: CrowdSchedule): string | null {
  switch (schedule.every) {
    case 'data':
      return null
    case 'hours':
      return `0 */${schedule.hours} * * *`
    case 'day':
      return `0 ${schedule.hour} * * *`
    case 'week':
      return `0 ${schedule.hour} * * ${schedule.days.join(',')}`
  }
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** 跟随数据, 每 6 小时, 每天 08:00, 每周一、三 08:00. */
export function scheduleWords(schedule: CrowdSchedule): string {
  switch (schedule.every) {
    case 'data':
      return '跟随数据'
    case 'hours':
      return schedule.hours === 1 ? '每小时' : `每 ${schedule.hours} 小时`
    case 'day':
      return `每天 ${clock(schedule.hour)}`
    case 'week':
      return `每周${schedule.days.map((day) => WEEKDAYS[day - 1]).join('、')} ${clock(schedule.hour)}`
  }
}
