import type { ReactNode } from 'react'
import { FIELD_ORDER, FIELDS, type Field } from '#contract/targeting/social/fields.ts'
import { GeoLocation, LocationTypes, ManyCodes, OneCode, Opener } from './Choices.tsx'
import { Conversions } from './Conversions.tsx'
import { CrowdPanel } from './CrowdPanel.tsx'
import { Places } from './Places.tsx'
import { AgeRanges, CommunityPrices } from './Ranges.tsx'
import { RegionPicker } from './RegionPicker.tsx'
import { SceneSentence } from './SceneSentence.tsx'
import { IntentionPicker, TagPicker } from './TagPicker.tsx'

/** How each dimension is edited; null where it is edited with the one before it. */
const CONTROLS: Record<Field, ReactNode> = {
  geo_location: <GeoLocation />,
  regions: <RegionPicker />,
  custom_locations: <Places />,
  location_types: <LocationTypes />,

  age: <AgeRanges />,
  gender: <OneCode field="gender" />,
  education: <ManyCodes field="education" />,
  marital_status: <ManyCodes field="marital_status" />,
  working_status: <ManyCodes field="working_status" />,
  financial_situation: <ManyCodes field="financial_situation" />,
  consumption_type: <ManyCodes field="consumption_type" />,
  game_consumption_level: <ManyCodes field="game_consumption_level" />,
  consumption_status: <ManyCodes field="consumption_status" />,
  residential_community_price: <CommunityPrices />,

  behavior: <Opener field="behavior" />,
  behavior_scene: <SceneSentence />,
  behavior_time_window: null,
  behavior_categories: <TagPicker kind="behavior" />,
  behavior_keywords: null,
  interest: <Opener field="interest" />,
  interest_categories: <TagPicker kind="interest" />,
  interest_keywords: null,
  intention: <IntentionPicker />,

  custom_audience: <CrowdPanel panel="include" />,
  excluded_custom_audience: <CrowdPanel panel="exclude" />,

  excluded_dimension: <OneCode field="excluded_dimension" />,
  conversion_behavior_list: <Conversions />,
}

/** The dimensions of a tab, in the order of the screen. */
export const TabFields = ({ tab }: { tab: string }) =>
  FIELD_ORDER.filter((field) => FIELDS[field].tab === tab).map((field) => <div key={field}>{CONTROLS[field]}</div>)
