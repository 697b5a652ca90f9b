import { expect, test } from 'vitest'
import {
  type Description,
  describedReplies,
  fuzzedRequests,
  operationsOf,
} from '../../../../scripts/dev/described-replies.ts'
import { page, startCloud } from './fixtures/cloud.ts'

test('every reply to strangers is described, and none is a failure of the server', async () => {
  const { url, get, account } = await startCloud({ publicRequestsPerMinute: 1e6, wrongCredentialsPerMinute: 1e6 })
  const description = (await get('/openapi.json')).json as never as Description
  const check = describedReplies(description)
  const problems: string[] = []
  let sent = 0
  for (const operation of operationsOf(description))
    for (const { address, init } of fuzzedRequests(operation)) {
      const headers = { 'x-api-key': account.key, ...(init.headers as Record<string, string> | undefined) }
      const problem = await check(operation, await fetch(`${url}${address}`, { ...init, headers, redirect: 'manual' }))
      if (problem !== undefined)
        problems.push(`${address.slice(0, 80)} ${String(init.body ?? '').slice(0, 80)} ${problem}`)
      sent += 1
    }
  expect(problems).toEqual([])
  expect(sent).toBeGreaterThan(200)
})

test('elements that are nested too deep are a fault of the project', async () => {
  const { asset, submit } = await startCloud()
  const html = page().replace('<i ', `${'<b>'.repeat(5000)}<i `)
  const { status, json } = await submit(await asset({ 'index.html': html }))
  expect([status, json.error.code]).toEqual([400, 'vid_project_invalid'])
})
