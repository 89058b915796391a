import type { Parts } from '../parts.ts'
import type { Answer, Call } from '../wire.ts'
import { penaltyHeaders, videoAccess } from './access.ts'
import { accountCalls } from './account-calls.ts'
import { audienceCalls } from './audience-calls.ts'
import { commerceCrowdCalls } from './commerce-crowds.ts'
import { estimateCalls } from './commerce-estimate.ts'
import { commercePackageCalls } from './commerce-packages.ts'
import { commercePlanCalls } from './commerce-plans.ts'
import { commerceReportCalls } from './commerce-reports.ts'
import { customReportCalls } from './custom-reports.ts'
import { dictionaryCalls } from './dictionary-calls.ts'
import { badRequest, type Code, MESSAGES, Refusal, refused } from './envelope.ts'
import { videoOAuth } from './oauth.ts'
import { packageCalls } from './package-calls.ts'
import { projectCalls } from './project-calls.ts'
import { reachCalls } from './reach-calls.ts'
import { sourceCalls } from './source-calls.ts'

/** All interfaces of the video engine, by path without the prefix; every path ends in a slash. */
export function videoPlatform(parts: Parts) {
  const browser: Record<string, (call: Call) => Answer> = videoOAuth(parts)
  const access = videoAccess(parts)
  const business = {
    ...accountCalls(parts),
    ...sourceCalls(parts),
    ...audienceCalls(parts),
    ...dictionaryCalls(parts),
    ...commerceCrowdCalls(parts),
    ...commercePackageCalls(parts),
    ...commercePlanCalls(parts),
    ...estimateCalls(parts),
    ...packageCalls(parts),
    ...projectCalls(parts),
    ...reachCalls(parts),
    ...customReportCalls(parts),
    ...commerceReportCalls(parts),
  }

  function carryOut(call: Call): Answer {
    const name = `${call.method} ${call.path}`
    const answer = browser[name]
    if (answer) return answer(call)
    const act = business[name]
    if (!act) throw badRequest(`接口不存在或请求方法不正确: ${name}`)
    return access.checked(call, name, act)
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
    throttled(code: number | null): Answer {
      const throttled = known(code) ?? 40110
      const headers = throttled === 40110 ? penaltyHeaders(parts.switches.now.video_application_qps, 1) : {}
      return refused(new Refusal(throttled, undefined, headers))
    },
    busy: (code: number | null): Answer => refused(new Refusal(known(code) ?? 50000)),
  }
}

const known = (code: number | null): Code | null => (code !== null && code in MESSAGES ? (code as Code) : null)
