import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'

/** Raw values can be hashed to this type in the browser. */
export const isHashType = (type: IdentifierType): boolean => IDENTIFIERS[type].form !== 'plain'
/** Phones are hashed in the browser unless the viewer switches that off. */
export const hashesByDefault = (type: IdentifierType): boolean => IDENTIFIERS[type].subject === 'MOBILE_PHONE'
