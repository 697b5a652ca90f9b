import { expect, test } from 'vitest'
import {
  type Description,
  describedReplies,
  fuzzedRequests,
  operationsOf,
  WORDS,
} from '../../../../scripts/dev/described-replies.ts'
import { page, startCloud } from './fixtures/cloud.ts'
import { addRoutes } from './start-cloud.ts'

/** Starts a server with all its routes, which limits nobody. */
const startWhole = () =>
  startCloud({ publicRequestsPerMinute: 1e6, wrongCredentialsPerMinute: 1e6 }, { addRoutes: addRoutes(undefined) })

test('every reply to strangers is described, and none is a failure of the server', async () => {
  const { url, get, account } = await startWhole()
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
  expect(sent).toBeGreaterThan(300)
})

test('a text that the database cannot store is a fault of the request, whatever stores it', async () => {
  const { post, asset, submit } = await startWhole()
  const { json } = await submit(await asset())
  const { status, json: refusal } = await post('/v3/vid/publications', {
    render_id: json.data.render_id,
    title: 'a\0b',
  })
  expect([status, refusal.error.code]).toEqual([400, 'invalid_parameter'])
})

test('no text in an address of a page or of a sign-in is a failure of the server', async () => {
  const { url } = await startWhole()
  const places = ['/p/{}', '/oauth/interaction/{}', '/oauth/authorize/{}', '/oauth/authorize?client_id={}', '/{}']
  const addresses = places.flatMap((place) => WORDS.map((word) => place.replace('{}', word)))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const requests = [
    ...addresses.map((address) => ({ address, init: {} })),
    ...WORDS.flatMap((word) =>
      ['grant_type={}', 'grant_type=authorization_code&client_id={}&code={}', 'token={}&client_id={}'].flatMap((body) =>
        ['/oauth/token', '/oauth/token/revocation', '/oauth/interaction/a/sign-in'].map((address) => ({
          address,
          init: { method: 'POST', headers: form, body: body.replaceAll('{}', word) },
        })),
      ),
    ),
  ]
  const failed = []
  for (const { address, init } of requests) {
    const { status } = await fetch(`${url}${address}`, { ...init, redirect: 'manual' })
    if (status >= 500) failed.push(`${status} ${address} ${'body' in init ? init.body : ''}`)
  }
  expect(failed).toEqual([])
})

test('elements that are nested too deep are a fault of the project', async () => {
  const { asset, submit } = await startCloud()
  const html = page().replace('<i ', `${'<b>'.repeat(5000)}<i `)
  const { status, json } = await submit(await asset({ 'index.html': html }))
  expect([status, json.error.code]).toEqual([400, 'vid_project_invalid'])
})
