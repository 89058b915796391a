import { forgottenValueSql } from '../../identifiers/forgotten-values.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import type { ForgetDeps } from './deps.ts'
import { countRows, eraseRows } from './rows.ts'

/** The values of forgotten people on the suppression list, with the other forms of the same phone. */
export function forgottenInSuppression({ load, personKey }: Pick<ForgetDeps, 'load' | 'personKey'>) {
  function placeOf(adv_id: number, forgotten: Forgotten) {
    const condition = forgottenValueSql(forgotten, personKey)
    return condition === null ? null : { table: 'suppression', where: `adv_id = ${Number(adv_id)} AND ${condition}` }
  }
  return {
    async count(adv_id: number, forgotten: Forgotten): Promise<number> {
      const place = placeOf(adv_id, forgotten)
      return place === null ? 0 : countRows(load, place)
    },
    async erase(adv_id: number, forgotten: Forgotten): Promise<number> {
      const place = placeOf(adv_id, forgotten)
      return place === null ? 0 : eraseRows(load, place)
    },
  }
}
