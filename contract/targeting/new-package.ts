import { type Outcome, outcome } from '../outcome.ts'

/** The dialog of a new package. */
export interface NewPackage {
  /** Epoch seconds of the last second that it is valid. */
  invalid_time: number | null
  dir_id: number | null
  /** The package type; `hasTypes` says whether the platform has any. */
  landing_type: string | null
  /** The account, called the advertiser in the SaaS edition; the RPS edition asks for it only where there are several. */
  advertiser_id: number | null
}

/** What is wrong with a new package beside its name. `today` is the first second of today. */
export function newPackageFaults(
  given: NewPackage,
  { today, isSaas, hasTypes }: { today: number; isSaas: boolean; hasTypes: boolean },
): { field: keyof NewPackage; reason: Outcome }[] {
  const expiry =
    given.invalid_time === null
      ? outcome('targeting_expiry_missing')
      : given.invalid_time < today
        ? outcome('targeting_expiry_past')
        : null
  const faults: [keyof NewPackage, Outcome | null][] = [
    ['invalid_time', expiry],
    ['dir_id', given.dir_id === null ? outcome('targeting_folder_missing') : null],
    ['landing_type', hasTypes && given.landing_type === null ? outcome('targeting_type_missing') : null],
    ['advertiser_id', isSaas && given.advertiser_id === null ? outcome('targeting_advertiser_missing') : null],
  ]
  return faults.flatMap(([field, reason]) => (reason ? [{ field, reason }] : []))
}
