import type { CrowdSchedule, HOURS_BETWEEN } from '#contract/crowd-schedule.ts'

/** The fields of the dialog; only those of the chosen kind are drawn, the others keep what they offer first. */
export interface ScheduleFields {
  every: CrowdSchedule['every']
  hours?: (typeof HOURS_BETWEEN)[number]
  days?: number[]
  hour?: number
}

const FIRST_OFFERED = { hours: 6, days: [1], hour: 8 } as const

export const fieldsOf = (schedule: CrowdSchedule): Required<ScheduleFields> => ({
  ...FIRST_OFFERED,
  days: [...FIRST_OFFERED.days],
  ...schedule,
})

export function scheduleOf(fields: ScheduleFields): CrowdSchedule {
  const { every, hours, days, hour } = { ...FIRST_OFFERED, ...fields }
  switch (every) {
    case 'data':
      return { every }
    case 'hours':
      return { every, hours }
    case 'day':
      return { every, hour }
    case 'week':
      return { every, days: days.toSorted((one, other) => one - other), hour }
  }
}
