import { Flex } from 'antd'
import type { Place, RadiusBounds } from '#contract/targeting/place.ts'
import { later } from '../../../components/later.tsx'
import { useEditing } from '../editor-context.ts'
import { DistrictsState } from '../parts/DistrictsState.tsx'
import { useTree } from '../use-dictionary.ts'

const PlaceField = later(() => import('../../../domain/targeting/map/PlaceField.tsx').then((file) => file.PlaceField))

interface Props {
  places: readonly Place[]
  radius: RadiusBounds
  onChange: (places: Place[]) => void
}

/** Places on the map, and the platform's 商圈. */
export function PlacePicker(props: Props) {
  const { isReadOnly } = useEditing()
  const districts = useTree('BUSINESS_DISTRICT')
  return (
    <Flex vertical gap={8}>
      <DistrictsState query={districts} />
      <PlaceField {...props} districts={districts.data?.BUSINESS_DISTRICT ?? null} isReadOnly={isReadOnly} />
    </Flex>
  )
}
