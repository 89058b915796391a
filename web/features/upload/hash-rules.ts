import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { isZip } from './first-lines.ts'

/** Raw values can become this type's before they leave the browser. */
export const isHashType = (type: IdentifierType): boolean => IDENTIFIERS[type].form !== 'plain'
/** Phones are never to leave it as they are, unless one says so. */
export const hashesByDefault = (type: IdentifierType): boolean => IDENTIFIERS[type].subject === 'MOBILE_PHONE'
/** An archive goes as it is. */
export const canHash = (type: IdentifierType, name: string): boolean => isHashType(type) && !isZip(name)
