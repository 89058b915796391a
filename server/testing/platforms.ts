import { PLATFORMS } from '#contract/platform.ts'

/** The numbers of the platforms, for tests that talk about one of them. */
export const SOCIAL = PLATFORMS.social.code
export const VIDEO = PLATFORMS.video.code
export const COMMERCE = PLATFORMS.commerce.code
