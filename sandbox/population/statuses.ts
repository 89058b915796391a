import { draw } from './draw.ts'
import { type Crowd, everyone } from './population.ts'

const WHOLE = 2 ** 32
const share = (key: number, person: number) => draw(key, person) / WHOLE

/** What is known of people beside their age, sex and place. In each at most one value is true of a person. */
const EXCLUSIVE = {
  education: {
    DOCTOR: 0.01,
    MASTER: 0.05,
    BACHELOR: 0.22,
    JUNIOR_COLLEGE: 0.24,
    SENIOR: 0.22,
    JUNIOR: 0.18,
    PRIMARY: 0.05,
  },
  marital_status: {
    SINGLE: 0.24,
    IN_LOVE: 0.1,
    NEWLY_MARRIED: 0.05,
    MARRIED: 0.26,
    PARENTING_0: 0.02,
    PARENTING_0_6: 0.02,
    PARENTING_6_12: 0.02,
    PARENTING_12_24: 0.03,
    PARENTING_24_36: 0.03,
    CHILD_PRE_SCHOOL: 0.05,
    CHILD_PRIMARY_SCHOOL: 0.07,
    CHILD_JUNIOR_SCHOOL: 0.04,
    CHILD_HIGH_SCHOOL: 0.04,
  },
  network_operator: { CMCC: 0.57, CUC: 0.21, CTC: 0.2 },
  app_install_status: { NOT_INSTALLED: 0.78, INSTALLED: 0.22 },
  consumption_status: { HIGH: 0.18, LOW: 0.41 },
  game_consumption_level: { HIGH: 0.07, NORMAL: 0.31 },
} as const
/** Of each value it is drawn by itself whether it is true of a person. */
const SEPARATE = { financial_situation: { CAR_OWNERS: 0.33, HOME_OWNERS: 0.38 } } as const

const TABLES: Readonly<Record<string, Readonly<Record<string, number>>>> = { ...EXCLUSIVE, ...SEPARATE }
export type Status = keyof typeof EXCLUSIVE | keyof typeof SEPARATE
export const valuesOf = (status: Status): string[] => Object.keys(TABLES[status] as object)

/** Each has keys of its own, far from those of traits. */
const keyOf = (status: string) => [...status].reduce((key, letter) => draw(key, letter.charCodeAt(0)), 0x51a7)

function drawnOf(status: Status, person: number): string | null {
  let left = share(keyOf(status), person)
  for (const [value, part] of Object.entries(TABLES[status] as object) as [string, number][]) {
    if (left < part) return value
    left -= part
  }
  return null
}

const known = new Map<string, Crowd>()
/** The people of whom a value is true. */
export function ofStatus(status: Status, value: string): Crowd {
  const name = `${status} ${value}`
  const set =
    known.get(name) ??
    everyone(
      status in EXCLUSIVE
        ? (person) => drawnOf(status, person) === value
        : (person) => share(keyOf(name), person) < (TABLES[status]?.[value] ?? 0),
    )
  known.set(name, set)
  return set
}
