import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The sentences of sections 4 (states) and 5 (validation) of the editors' specification, each with its cases. */
const SENTENCES: Record<string, readonly string[]> = {
  'Modes: create, edit, copy, read.': [
    'the id 0 is a new package',
    'no mode is editing',
    'mode=copy starts from the package',
    'mode=read only shows',
    'reading alone disables inputs and saves nothing',
  ],
  'Copy loads an existing package.': ['copy loads an existing package'],
  'Copy clears name, folder and landing type.': [
    'a copy takes name, folder and landing type from the dialog, and the rest from the package',
    'a new package starts with an empty form under the type of the dialog',
  ],
  'Behaviour fields are shown only when the mode is CUSTOM.': [
    'behaviour fields are shown under 自定义',
    'behaviour fields are hidden under 不限',
    'behaviour fields are hidden under 系统推荐',
  ],
  'Custom fields are dropped on save otherwise.': ['action and interest fields are dropped under 系统推荐'],
  'Switching to CUSTOM reports scene and days.': [
    'switching to CUSTOM chooses every scene and 30 days',
    'behaviour of other days and scenes, in any order',
  ],
  'Include and exclude crowd panels appear per auto_crowd_mode.': [
    'the include panel appears with mode 1',
    'mode 1 alone hides the exclude panel',
    'the exclude panel appears with mode 2',
  ],
  'A crowd row chosen as include is disabled in exclude and vice versa.': [
    'a crowd chosen in one panel of %s is disabled in the other',
    'a crowd that is excluded cannot be included',
    'a crowd that is included cannot be excluded',
  ],
  'Crowd rows show 未生效, 仅对排除人群生效 or 仅对定向人群生效.': [
    'a crowd that is not common says 未生效',
    'a crowd for excluding says so when including',
    'a crowd for including says so when excluding',
  ],
  'The aweme custom panel appears when aweme_fan_by is 1.': ['the creator panel appears when aweme_fan_by is 1'],
  'Expansion targets appear when auto_extend_enabled is 1.': ['expansion targets appear when expansion is on'],
  'Aweme time range is hidden when no behaviour is chosen or only FOLLOWED_USER.': [
    'the time range is hidden when no behaviour is chosen',
    'the time range is hidden when only 已关注用户 is chosen',
    'the time range is shown beside another behaviour',
  ],
  'Geography CITY shows regions and location types.': ['CITY shows regions and location types', 'CITY hides the map'],
  'The map variant shows a map picker.': ['BUSINESS_DISTRICT shows the map', 'BUSINESS_DISTRICT hides regions'],
  'Device brand and price sections appear only when their by option is checked.': [
    'brands appear when their option is checked',
    'the price appears when its option is checked',
  ],
  'A platform change clears brands.': ['a platform change clears brands'],
  'The brand section is hidden when the platform is only IOS.': [
    'the brand section is hidden when the platform is only iOS',
  ],
  'The Apple brand is removed when the platform is Android only.': [
    'Apple is removed when the platform is Android only',
    'Apple is no brand under Android alone',
  ],
  'If the detail status is -1 and not read-only, a warning is shown and the custom-crowd tab opens.': [
    'a package of status %s warns in mode %s when a crowd is lost',
  ],
  'Upload item states: uploading, success, paused (label asks to retry), failed (click to retry).': [
    'the label of each state says what a click does',
    'after a reload finished and paused files stay so, the others start by themselves',
    'an upload is paused, continues by itself after a reload, and arrives byte for byte',
    'a lost connection is retried; if it stays lost the upload fails and a click retries it',
  ],
  'Dialog visibility toggles on open, cancel and confirm.': [
    'folders are added, refused, renamed, moved, found and deleted, and the selected one is remembered',
    '取消 closes at once, and a text typed and removed is no change',
    'leaving with changes asks; an unknown ticket opens the dialog; a missing package says so',
  ],
  'On save: aweme fields when unlimited are dropped.': ['creator fields are dropped when unlimited'],
  'On save: expansion targets when off are dropped.': ['expansion targets are dropped when expansion is off'],
  'On save: price/brand/career when not chosen are dropped.': ['price, brand and career are dropped when not chosen'],
  'On save: regions versus custom_locations are dropped by district.': [
    'custom locations are dropped under CITY',
    'regions are dropped under BUSINESS_DISTRICT',
    'all places are dropped without a district',
  ],
  'On save: action/interest fields unless CUSTOM are dropped.': [
    'action and interest fields are dropped under 系统推荐',
    'action and interest fields are kept under CUSTOM',
  ],
  'On save: retargeting when no crowd mode is dropped.': ['crowds are dropped without a crowd mode'],

  // Section 7 (calls) and the decisions on previews and estimates.
  'Estimate, debounced 2 s; failures silently ignored.': [
    'an estimate waits two seconds after the last change, drops the one before it, and is silent when it fails',
    'a platform that refuses, throttles or is gone leaves no figure, and says why',
  ],
  'Enum and tags for the commerce platform: filter with query_word or query_list; landing_type_option enum.': [
    'query_list is %s',
    'commerce offers the groups of its contract, and no device but system and network',
  ],
  'What the platform withdrew is left out of what is sent, and noted in the preview.': [
    'what the platform withdrew narrows nothing',
    'what the video engine withdrew changes no estimate, and neither does smart expansion',
    'what the platform withdrew is marked',
    'the chart names what smart expansion opens, and the preview what the platform withdrew',
  ],
  'A query over 8 KB folds regions or says 选择过多.': [
    'more regions than a query holds are asked for as whole provinces, or the answer is 选择过多',
    'regions beyond what one question holds are folded into provinces, or the reach says 选择过多',
  ],
  'District: 不限, 省市, 区县, 商圈.': ['places of %s become places of %s', 'under 省市, %s stays or goes: %s'],

  'Package name: required.': ['the package name is required'],
  'Package name: length 1–30.': ['a name has at most 30 characters', 'a name of 30 characters fits'],
  'Package name: only Chinese or English letters, digits, hyphen, underscore.': ['a name has no other signs'],
  'Same rules for folder and rename names.': [
    '%s: a name is required, of 1 to 30 characters, without other signs',
    'the name %j is refused with its message',
  ],
  'Storage path required.': ['the storage path is required', 'a storage path is required'],
  'Package type required.': ['the package type is required', 'a package type is required'],
  'Behaviour: in CUSTOM at least one action or interest tag.': [
    'CUSTOM needs an action or an interest',
    'an action is enough',
    'an interest is enough',
  ],
  'Each tag picker at most 350.': [
    '350 tags fit a picker',
    '351 actions are too many',
    '351 interests are too many',
    '350 crowds fit a panel',
    '351 targeted crowds are too many',
    '351 crowds are too many',
  ],
  'Crowd: include chosen with none selected 请选择定向人群.': ['including needs a crowd'],
  'Crowd: exclude alone 请选择排除人群.': ['excluding needs a crowd'],
  'Crowd: both modes with neither chosen.': ['both modes need one of the two', 'one of the two is enough'],
  'Crowd: an empty list with a mode chosen has no data.': ['an empty list of crowds is said'],
  'Demography: CITY needs at least one region or region plan.': [
    'CITY needs a region or a region plan',
    'a region is enough',
    'a region plan is enough',
  ],
  'Demography: map variant needs one map location.': ['the map needs a place'],
  'Demography: location types needed.': ['location types are needed'],
  'Demography: custom career needs a career.': ['a career is needed when chosen'],
  'Device: brand required when by-brand is chosen.': ['a brand is needed when chosen'],
  'Special: behaviours non-empty.': ['behaviours of users are needed'],
  'Special: at least one category or account.': ['a category or a creator is needed'],
  'Special: at most 30.': ['30 creators fit', '31 are too many'],
  'Smart expansion with no targets: 请选择可开放定向.': ['expansion needs a target'],
  'Submit validates all five tabs; the first failing tab is shown with 请检查{tab label}.': [
    'all five tabs are checked and the first failing one is named',
  ],
  'Folder: directory required (请选择目录).': [
    'folders are added, refused, renamed, moved, found and deleted, and the selected one is remembered',
  ],
  'Folder: at most 5 levels (目录层级最多只有5级).': [
    'a folder is at most five levels deep, also after a move, and cannot be moved into itself',
    'folders have at most five levels, can be dragged, and the search waits until typing stops',
  ],
  'New package: expiry date required, not in the past.': [
    'an expiry date is required',
    'the expiry date is not in the past',
  ],
  'New package: advertiser required in SaaS.': ['an advertiser is required in SaaS'],
  'Upload: only zip, csv, text, txt (不支持上传该类型文件).': [
    'files that end in %s can be chosen',
    '%s is no file to upload',
    'a file of each bad kind is refused with its message',
  ],
  'Upload: non-empty (不能上传空文件).': [
    'an empty file is refused',
    'a file of each bad kind is refused with its message',
  ],
  'Upload: single file at most 50M (单个文件大小不能超过 50M).': [
    'a file of 50M fits, a larger one does not',
    'a file of each bad kind is refused with its message',
  ],
  'Upload: total at most 1000M (可上传文件总大小不能超过1000M).': ['at most 1000M in total'],
  'Upload: up to 20 files.': ['at most twenty, including those already in the list'],
}

/** A sentence is shown by a test of any kind: of rules, of the server, of a page, or in a browser. */
const ROOT = join(import.meta.dirname, '../../..')
const tests = globSync(['{contract,web,server}/**/*.test.{ts,tsx}', 'e2e/**/*.{spec,test}.ts'], {
  cwd: ROOT,
  exclude: ['**/coverage.test.ts', '**/node_modules/**', '**/.types/**', '**/dist/**'],
})
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

/** A title counts where it names a test or begins a row of cases, and not where it is merely mentioned. */
const isCase = (title: string) => new RegExp(`(\\btest\\(|\\)\\(|\\[)\\s*'${RegExp.escape(title)}'`).test(tests)

test.each(Object.entries(SENTENCES))('has a case: %s', (_, cases) => {
  expect(cases).not.toEqual([])
  for (const title of cases) expect(isCase(title), title).toBe(true)
})
