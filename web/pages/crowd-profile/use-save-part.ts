import { useNavigate } from 'react-router'
import { partRule } from '#contract/crowd-overlap.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import type { SavePart } from '../../features/crowd-profile/OverlapParts.tsx'
import { partName } from '../../features/crowd-profile/overlap-words.ts'
import { keepWork } from '../../features/rule-editor/saving/kept-work.ts'
import { paths } from '../../lib/paths.ts'

/** Opens the editor of a new crowd with the rule of a part, as unsaved work. */
export function useSavePart(adv_id: number): SavePart {
  const navigate = useNavigate()
  const { advertisers, chooseOnArrival } = useAdvertiser()
  return ({ ids }, { crowds }) => {
    const others = crowds.map(({ id }) => id).filter((id) => !ids.includes(id))
    keepWork({
      ...{ advId: adv_id, crowdId: 0, rId: null, ver: null, isPrepared: true },
      doc: { rule: partRule(ids, others), form: { name: partName(ids, crowds), day: null, dirId: null } },
      shownTags: crowds.map(({ id, name, count, counted_at }) => ({
        ...{ id, tag_type: CROWD_TAG, name, count, countedAt: counted_at, icon: 'crowd', path: `历史人群 / ${name}` },
      })),
    })
    const name = advertisers.find(({ id }) => id === adv_id)?.name
    void navigate(paths.ruleCrowdEdit(0), { state: chooseOnArrival({ id: adv_id, name }) })
  }
}
