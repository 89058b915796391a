import { Checkbox, Radio } from 'antd'
import type { ReactNode } from 'react'
import { districtChange } from '#contract/targeting/five-tab/change.ts'
import { CROWD_ROLES, type CrowdRole } from '#contract/targeting/five-tab/crowd-row.ts'
import { isNothingToOpen } from '#contract/targeting/five-tab/faults.ts'
import { FIELD_ORDER, FIELDS, type Field } from '#contract/targeting/five-tab/fields.ts'
import { ACTION_DAYS, editorOf } from '#contract/targeting/five-tab/platforms.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { useNodes, useTree } from '../use-dictionary.ts'
import { ByCustom, ManyChoices, OneChoice, OneOfList, TwoStates, UNLIMITED } from './Choices.tsx'
import { CrowdPanel } from './CrowdPanel.tsx'
import { FanPicker } from './FanPicker.tsx'
import { Places } from './Places.tsx'
import { PriceField } from './PriceField.tsx'
import { RegionPicker } from './RegionPicker.tsx'
import { TagPicker } from './TagPicker.tsx'
import { useFiveTab } from './use-five-tab.ts'

/** Ages in two divisions, where the platform has two: only one of them can be used. */
function Ages() {
  const { platform } = useFiveTab()
  const hasTwo = editorOf(platform).ageSets.length > 1
  return (
    <ManyChoices field="age" hint={hasTwo ? '有粗、细两种分段，只能用其中一种：选了另一种的，已选的会被取消' : null} />
  )
}

/** How each field is edited. */
const CONTROLS: Record<Field, ReactNode> = {
  age: <Ages />,
  gender: <OneOfList field="gender" />,
  career_by: <ByCustom field="career_by" />,
  career: <ManyChoices field="career" isAsked />,
  district: <District />,
  regions: <RegionPicker />,
  custom_locations: <Places />,
  location_types: <OneOfList field="location_types" isAsked />,
  exclude_limited_region: <TwoStates field="exclude_limited_region" words={['不排除', '排除']} />,

  smart_interest_action: <OneChoice field="smart_interest_action" />,
  action_scene: <Scenes />,
  action_days: <ActionDays />,
  action_tags: <TagPicker field="action_tags" />,
  interest_tags: <TagPicker field="interest_tags" />,

  auto_crowd_mode: <CrowdMode />,
  retargeting_tags_include: <CrowdPanel panel="include" />,
  retargeting_tags_exclude: <CrowdPanel panel="exclude" />,

  platform: <ManyChoices field="platform" />,
  device_type: <ManyChoices field="device_type" />,
  ac: <ManyChoices field="ac" />,
  carrier: <ManyChoices field="carrier" />,
  device_brand_by: <ByCustom field="device_brand_by" />,
  device_brand: <ManyChoices field="device_brand" isAsked />,
  launch_price_by: <ByCustom field="launch_price_by" />,
  launch_price: <PriceField />,
  activate_type: <ManyChoices field="activate_type" />,

  aweme_fan_by: <TwoStates field="aweme_fan_by" words={[UNLIMITED, '自定义']} />,
  aweme_fan_behaviors: <ManyChoices field="aweme_fan_behaviors" isAsked />,
  aweme_fan_time_scope: <OneChoice field="aweme_fan_time_scope" />,
  user_aweme_fan: <FanPicker />,
  auto_extend_enabled: <TwoStates field="auto_extend_enabled" words={['不启用', '启用']} />,
  auto_extend_targets: <OpenTargets />,
  new_customer: <OneChoice field="new_customer" />,
  live_platform_tags: <ManyChoices field="live_platform_tags" />,
}

/** The fields of a tab, in the order of the screen. */
export const TabFields = ({ tab }: { tab: string }) =>
  FIELD_ORDER.filter((field) => FIELDS[field].tab === tab).map((field) => <div key={field}>{CONTROLS[field]}</div>)

/** The kind of places; the tree tells which of the chosen regions are districts. */
function District() {
  const { form, change } = useFiveTab()
  const nodes = useNodes(useTree('REGION', [], form.regions.regions.length > 0).data?.REGION)
  return (
    <OneOfList field="district" onChoose={(code) => change(districtChange(form, code, (id) => nodes.get(id)?.level))} />
  )
}

/** What smart expansion may open; some platforms open only what is restricted. */
function OpenTargets() {
  const { platform, form } = useFiveTab()
  return (
    <ManyChoices
      field="auto_extend_targets"
      isAsked
      noteOf={(target) => (isNothingToOpen(platform, form, target) ? '未限定' : null)}
    />
  )
}

/** Without any, the platform counts behaviour in all of them. */
function Scenes() {
  const isAll = useFiveTab().form.action_scene.length === 0
  return <ManyChoices field="action_scene" isAsked hint={isAll ? '没有勾选时，所有场景的行为都计入' : null} />
}

function ActionDays() {
  const { form, change } = useFiveTab()
  return (
    <EditorField field="action_days">
      <Radio.Group
        aria-label={FIELDS.action_days.label}
        value={form.action_days}
        options={ACTION_DAYS.map((value) => ({ value, label: `${value} 天` }))}
        onChange={({ target }) => change({ action_days: target.value })}
      />
    </EditorField>
  )
}

const ROLES: Record<CrowdRole, string> = { include: '定向人群', exclude: '排除人群' }

function CrowdMode() {
  const { form, change } = useFiveTab()
  return (
    <EditorField field="auto_crowd_mode">
      <Checkbox.Group
        aria-label={FIELDS.auto_crowd_mode.label}
        value={form.auto_crowd_mode}
        options={(Object.keys(ROLES) as CrowdRole[]).map((role) => ({ value: CROWD_ROLES[role], label: ROLES[role] }))}
        onChange={(modes) => change({ auto_crowd_mode: modes })}
      />
    </EditorField>
  )
}
