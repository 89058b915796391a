import { expect, test } from 'vitest'
import { deleteCustomCrowd } from '#contract/custom-crowd.ts'
import { getPush, startPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS } from '../../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()

test('a child that is deleted while its push waits for another day takes the waiting task with it', async () => {
  const adv_id = await anAdvertiser(app)
  const account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[SOCIAL][0])
  await sandbox.control('switches', { processing_seconds: 0.1, social_files_per_day: 1 })
  const push = async (first: number) => {
    const files = [{ name: 'a.txt', content: `${hashes(first, first + 10).join('\n')}\n` }]
    const id = await aCustomCrowd(app, adv_id, files)
    await app.settled()
    const body = { id, advertiser_id: account }
    const started = await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })
    await app.settled()
    return started
  }
  await push(0)
  const { push_id, child_id } = await push(100)
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('paused')
  const removal = { id: child_id, advertiser_id: account, cnt_type: SOCIAL }
  await app.admin.get(deleteCustomCrowd, { query: removal })
  const { list, running } = await app.admin.get(listTasks)
  expect([list[0]?.status, running]).toEqual(['cancelled', 0])
})
