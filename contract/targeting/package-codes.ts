import { z } from 'zod'
import { PLATFORMS, type PlatformCode, platformWords } from '../platform.ts'

/** The platforms whose packages the console keeps. */
export const PACKAGE_CODES = [1, 2, 3] as const satisfies readonly PlatformCode[]
export type PackageCode = (typeof PACKAGE_CODES)[number]
/** The platform that is meant where none is named. */
export const DEFAULT_PACKAGE_CODE: PackageCode = 2
export const isPackageCode = (code: number): code is PackageCode => PACKAGE_CODES.some((one) => one === code)
export const PackageCode = z.union(PACKAGE_CODES.map((code) => z.literal(code))).describe(platformWords(PACKAGE_CODES))

/** Whether a package that live plans use refuses changes. */
export const isLockedByUse = (code: PlatformCode): boolean => code === PLATFORMS.social.code
