import { type RawBuilder, sql } from 'kysely'
import { DIGIT, ENCODED, NO_DIGIT, PHONE_PREFIX, PHONE_RUN, PHONE_SPELLINGS } from '#contract/phone-runs.ts'

/** A LIKE pattern that finds the text anywhere, with % and _ taken literally. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const PHONE_DIGITS = 11

interface Reader {
  see_phones: boolean
}
type Text = RawBuilder<string>

const alone = (pattern: string) => `(?:(?<!${DIGIT})|(?<=${ENCODED}))${pattern}(?!${DIGIT})`

/** The text with its phones masked, as viewers see it who may not see them. */
function maskedSql(text: Text): Text {
  const masked = PHONE_SPELLINGS.reduce((done, { first, hidden, last }) => {
    const phone = alone(`((?:${PHONE_PREFIX})?)(${first})${hidden}(${last})`)
    return sql<string>`regexp_replace(${done}, ${phone}, ${'\\1\\2****\\3'}, 'g')`
  }, text)
  // Few texts have as many digits as a phone, and counting them is cheaper than looking for one.
  const digits = sql<number>`length(regexp_replace(${text}, ${NO_DIGIT}, '', 'g'))`
  return sql<string>`case when ${digits} < ${PHONE_DIGITS} then ${text} else ${masked} end`
}

/**
 * The text that people wrote, as it may be searched for another one. Viewers who may not see phones search what they are
 * shown: otherwise they could find a masked phone digit by digit.
 */
export const searchedText = (viewer: Reader, text: Text, wanted: string): Text =>
  !viewer.see_phones && /\p{Nd}/u.test(wanted) ? maskedSql(text) : text

/** Whether a text that people wrote contains another one. */
export function textHolds(viewer: Reader, text: Text, wanted: string): RawBuilder<boolean> {
  const holds = (searched: Text) => sql<boolean>`${searched} ilike ${likePattern(wanted)}`
  const searched = searchedText(viewer, text, wanted)
  // Masking takes fifty times as long as searching. What a masked text contains, the text contains, but for the stars.
  return searched === text || wanted.includes('*')
    ? holds(searched)
    : sql<boolean>`case when ${holds(text)} then ${holds(searched)} else false end`
}

/**
 * Whether the name under which a row of `viewer` is shown contains a text. Sign-in names are not searched where others are
 * shown: they could be found piece by piece.
 */
export const shownNameHolds = (wanted: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(nullif(viewer.realname, ''), viewer.username) ilike ${likePattern(wanted)}`

/** Whether the viewer may know the name of a field: a file without a header may have given it a phone as its name. */
export const mayKnowName = (viewer: Reader, name: Text): RawBuilder<boolean> =>
  viewer.see_phones ? sql<boolean>`true` : sql<boolean>`${name} !~ ${alone(PHONE_RUN)}`
