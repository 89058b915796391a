import type { Parts } from '../parts.ts'
import type { Answer, Call } from '../wire.ts'
import { type Interface, socialAccess } from './access.ts'
import { advertiserCalls } from './advertisers.ts'
import { audienceCalls } from './audiences.ts'
import { CODES, type Code, Refusal, refused } from './envelope.ts'
import { estimationCalls } from './estimation.ts'
import { fileCalls } from './files.ts'
import { grantCalls } from './grants.ts'
import { socialOAuth } from './oauth.ts'
import { planCalls } from './plans.ts'
import { reportCalls } from './reports.ts'
import { shareCalls } from './shares.ts'
import { tagCalls } from './tag-calls.ts'
import { targetingCalls } from './targetings.ts'

const VERSIONS = /^\/(v3\.0|v1\.3|v1\.1)\//

/** All interfaces of the social platform, by path without the prefix. */
export function socialPlatform(parts: Parts) {
  const browser: Record<string, (call: Call) => Answer> = socialOAuth(parts)
  const access = socialAccess(parts)
  const business: Record<string, Interface> = {
    ...planCalls(parts),
    ...advertiserCalls(parts),
    ...audienceCalls(parts),
    ...fileCalls(parts),
    ...grantCalls(parts),
    ...tagCalls(parts),
    ...estimationCalls(parts),
    ...targetingCalls(parts),
    ...shareCalls(parts),
    ...reportCalls(parts),
  }

  function carryOut(call: Call): Answer {
    const answer = browser[`${call.method} ${call.path}`]
    if (answer) return answer(call)
    const version = VERSIONS.exec(call.path)?.[1]
    const name = `${call.method} ${call.path.replace(VERSIONS, '')}`
    const act = version ? business[name] : undefined
    if (!version || !act) throw new Refusal(12007)
    return access.checked(call, name, version === 'v3.0' ? 3 : 1, act)
  }

  return {
    answer(call: Call): Answer {
      try {
        return carryOut(call)
      } catch (error) {
        if (error instanceof Refusal) return refused(error)
        throw error
      }
    },
    throttled: (code: number | null): Answer => {
      const answer = refused(new Refusal(known(code) ?? 11017))
      return { ...answer, headers: { ...answer.headers, 'x-ratelimit-remaining': '50%,0%' } }
    },
    busy: (code: number | null): Answer => refused(new Refusal(known(code) ?? 30001)),
  }
}

const known = (code: number | null): Code | null => (code !== null && code in CODES ? (code as Code) : null)
