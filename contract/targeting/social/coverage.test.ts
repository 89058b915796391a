import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The sentences of the specification that concern packages of the social platform, each with its cases. */
const SENTENCES: Record<string, readonly string[]> = {
  // Editors, section 4 (states).
  'Modes: create, edit, copy, read.': [
    'the id 0 is a new package',
    'no mode is editing',
    'mode=copy starts from the package',
    'mode=read only shows',
    'reading alone disables inputs and saves nothing',
  ],
  'Copy clears name and folder.': [
    'a copy takes name, folder and landing type from the dialog, and the rest from the package',
    'a package without types is copied whole',
  ],
  'Behaviour fields are shown only when the mode is CUSTOM.': [
    'behaviour dimensions are shown under 自定义',
    'behaviour dimensions are hidden under 不限',
    'interest pickers are shown under 自定义',
    'interest pickers are hidden under 不限',
  ],
  'Custom fields are dropped on save otherwise.': [
    'behaviours are dropped unless 自定义',
    'behaviours are kept under 自定义',
    'interests are dropped unless 自定义',
  ],
  'Switching to CUSTOM reports scene and days.': [
    'switching behaviours to 自定义 chooses every scene and 30 days',
    'behaviours that are 自定义 already keep their scenes',
  ],
  'A crowd row chosen as include is disabled in exclude and vice versa.': [
    'a targeted crowd is disabled in the excluded ones',
    'an excluded crowd is disabled in the targeted ones',
    'a crowd that is excluded cannot be targeted',
    'a crowd that is targeted cannot be excluded',
  ],
  'Crowd rows show 未生效, 仅对排除人群生效 or 仅对定向人群生效.': [
    'a crowd that cannot be used says so',
    'crowds, one of them without effect',
  ],
  'Geography: regions and location types.': ['按地域 shows regions and location types', '按地域 hides the map'],
  'The map variant shows a map picker.': ['按商圈与地点 shows the map', '按商圈与地点 hides regions'],
  'If the detail status is -1 and not read-only, a warning is shown and the custom-crowd tab opens.': [
    'a package of status %s warns in mode %s when a crowd is lost',
  ],
  'On save: regions versus custom_locations are dropped by the choice of geography.': [
    'places on the map are dropped under 按地域',
    'regions are dropped under 按商圈与地点',
    'all places are dropped under 不限',
  ],

  // Editors, section 5 (validation).
  'Package name: required.': ['the package name is required'],
  'Package name: length 1–30.': ['a name has at most 30 characters', 'a name of 30 characters fits'],
  'Package name: only Chinese or English letters, digits, hyphen, underscore.': ['a name has no other signs'],
  'Storage path required.': ['the storage path is required'],
  'Behaviour: in CUSTOM at least one tag.': [
    'custom behaviours need a category or a keyword',
    'a behaviour category is enough',
    'a behaviour keyword is enough',
    'custom interests need a category or a keyword',
    'an interest is enough',
  ],
  'Each tag picker at most 350.': [
    '350 categories fit a picker',
    '351 behaviour categories are too many',
    '351 behaviour keywords are too many',
    '351 interest categories are too many',
    '351 interest keywords are too many',
    '350 categories and keywords fit a picker together',
    '351 categories and keywords are too many together',
    '351 interests are too many together',
    '351 intentions are too many',
    '351 crowds are too many',
    '351 excluded crowds are too many',
  ],
  'Crowd: none selected.': ['custom crowds need a crowd', 'custom exclusion needs a crowd'],
  'Crowd: an empty list has no data.': ['an empty list of crowds is said'],
  'Geography needs at least one region.': ['按地域 needs a region', 'a region is enough'],
  'The map variant needs one map location.': ['按商圈与地点 needs a place', 'one place is enough'],
  'Location types needed.': ['location types are needed'],

  // Console, sections 2, 3 and 5.
  'A scene sentence: in the chosen scenes, select users who had behaviour within the chosen time window.': [
    'the scene sentence',
    'the scene sentence of every scene',
    'a behaviour scene is needed',
  ],
  'Targeting dimensions: 27 names.': ['the form has the 27 dimensions of the specification'],
  'Saving a targeting package validates every tab; an incomplete tab shows {tab label}未填写完整 and switches to it.': [
    'all five tabs are checked and the first incomplete one is named',
    'custom ages need a range',
    'a custom gender needs a value',
    'custom education needs a value',
    'custom marital status needs a value',
    'custom working status needs a value',
    'custom financial situation needs a value',
    'custom consumption type needs a value',
    'custom game consumption needs a value',
    'custom consumption status needs a value',
    'custom community prices need a range',
    'custom intentions need a value',
    'a custom exclusion needs a value',
    'custom conversions need a value',
  ],
  'Names are cut at 20 bytes in tab 2.': ['20 bytes in tab 2', 'a byte more in tab 2'],

  // Where the platform differs.
  'A dimension that the platform no longer accepts stays editable, is marked 平台已停用, and is not sent.': [
    'marked as withdrawn: %s',
    'dimensions that are withdrawn are noted',
    'what the platform withdrew is saved all the same',
    'exclusions that the platform withdrew are marked and can be chosen',
  ],
  'Platform sending limits below 350 are warned in the preview.': [
    'more than 250 categories are noted',
    'more than 250 behaviours are noted too',
    '250 categories of each kind are not noted as too many',
    'more than 200 crowds are noted, both ways together',
    '200 crowds are not noted',
    'more than 400 regions are noted',
    '400 regions are not noted',
  ],
  'With 商圈 or places on the map only VISITED_IN and LIVE_IN.': [
    'places on the map allow 常住 and 去过 alone',
    'places on the map clear location types that they do not allow',
    'places on the map refuse other location types',
  ],
  'WeChat inventory: only LIVE_IN.': ['WeChat placements are noted'],
  'Conversions together with an exclusion, at most 2.': [
    'conversions are hidden without an exclusion',
    'conversions are dropped without an exclusion',
    'three conversions are too many',
  ],
}

const ROOT = join(import.meta.dirname, '../../..')
const tests = [
  ...globSync('contract/targeting/social/*.test.ts', { cwd: ROOT, exclude: ['**/coverage.test.ts'] }),
  ...globSync('contract/targeting/*.test.ts', { cwd: ROOT }),
  ...globSync('web/features/targeting-editor/**/*.test.ts', { cwd: ROOT }),
]
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

/** A title counts where it names a test or begins a row of cases, and not where it is merely mentioned. */
const isCase = (title: string) => new RegExp(`(\\btest\\(|\\)\\(|\\[)\\s*'${RegExp.escape(title)}'`).test(tests)

test.each(Object.entries(SENTENCES))('has a case: %s', (_, cases) => {
  expect(cases).not.toEqual([])
  for (const title of cases) expect(isCase(title), title).toBe(true)
})
